/** The pool that one was paired in, so that whoever is left alone at the table waits there again. */

const STORED = 'cabochon.paired';

/** One was paired in that pool and goes to that table. */
export function paired(table: string, pool: string): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify({ table, pool }));
  } catch {
    // Without storage one chooses the pool again.
  }
}

/** Whether that table came from a pool. The pool is waited in again by whoever asks next. */
export function leftAlone(table: string): boolean {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORED) ?? '{}') as { table?: string; pool?: string };
    if (kept.table !== table || !kept.pool) return false;
    sessionStorage.setItem(STORED, JSON.stringify({ again: kept.pool }));
    return true;
  } catch {
    return false;
  }
}

/** The pool to wait in again, said once. */
export function waitAgain(): string | null {
  try {
    const { again } = JSON.parse(sessionStorage.getItem(STORED) ?? '{}') as { again?: string };
    if (again) sessionStorage.removeItem(STORED);
    return again ?? null;
  } catch {
    return null;
  }
}
