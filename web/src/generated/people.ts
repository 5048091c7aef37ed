/** Written by scripts/write_page_data.py from cabochon.play and cabochon.server. */

export const SHORTEST_PASSWORD = 10 as const;

export const LONGEST_NAME = 30 as const;

export const LONGEST_TEXT = 200 as const;

export const LONGEST_REPORT = 500 as const;
