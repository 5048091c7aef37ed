/** What a review adds to a result; loaded beside it, so that the result never waits. */

export { Reviewing } from '../studio/reviewing.svelte';
export { summaries } from '../studio/verdicts';
export { isMineral } from '../art/crystals';
export { default as Better } from './Better.svelte';
export { default as NextFoe } from './NextFoe.svelte';
export { default as RatingChange } from './RatingChange.svelte';
export { default as Story } from './Story.svelte';
export { aw } from './words';
