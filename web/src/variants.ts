import { PRESETS } from './generated/rules';

/** The named variants, as the rules have them. */
export type Variant = keyof typeof PRESETS;
const NAMES = Object.keys(PRESETS) as Variant[];

/** What can be played by everybody for themselves. */
export const WITHOUT_TEAMS = NAMES.filter((name) => !PRESETS[name].teams);

/** The same in teams; where there is no such variant, the usual one in teams. */
export function inTeams(variant: Variant): Variant {
  const { target, row_width } = PRESETS[variant];
  const teams = NAMES.filter((name) => PRESETS[name].teams);
  return teams.find((name) => PRESETS[name].target === target && PRESETS[name].row_width === row_width) ?? teams[0]!;
}

/** Whether two play together at a table of that variant. */
export function isInTeams(variant: string | undefined): boolean {
  return PRESETS[variant as Variant]?.teams ?? false;
}
