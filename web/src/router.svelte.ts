/** Which page: the path decides, and everything has an address. */

export interface Route {
  path: string;
  search: string;
}

export const route: Route = $state({ path: location.pathname, search: location.search });

function read(): void {
  route.path = location.pathname;
  route.search = location.search;
}

addEventListener('popstate', read);

export function navigate(to: string, replace = false): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  read();
  if (!replace) scrollTo(0, 0);
}

/** For links: stay in the page unless a new tab is asked for. */
export function go(event: MouseEvent, to: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  event.preventDefault();
  navigate(to);
}
