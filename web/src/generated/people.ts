/** Written by scripts/write_page_data.py from cabochon.server.web.memodels. */

export const SHORTEST_PASSWORD = 10 as const;
