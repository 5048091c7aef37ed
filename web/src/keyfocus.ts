/** Keys for as long as a board is shown. */

import { onMount } from 'svelte';

/** Whether the mouse, rather than a key, has put the focus where it is: then Enter confirms the
 *  turn, and does not press the button in focus again. */
export interface KeyFocus {
  pointed: boolean;
}

/** To be called while a component is set up. */
export function listenToKeys(onkeydown: (event: KeyboardEvent) => void): KeyFocus {
  const focus: KeyFocus = { pointed: false };
  const onkey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') focus.pointed = false;
    onkeydown(event);
  };
  const onpointerdown = (): void => void (focus.pointed = true);
  onMount(() => {
    addEventListener('keydown', onkey);
    addEventListener('pointerdown', onpointerdown);
    return () => {
      removeEventListener('keydown', onkey);
      removeEventListener('pointerdown', onpointerdown);
    };
  });
  return focus;
}
