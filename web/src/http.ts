/** What is asked and answered over HTTP. The types come from the server's own description. */

export type * from './generated/api';
export type { SeatTaken as Joined } from './generated/api';
