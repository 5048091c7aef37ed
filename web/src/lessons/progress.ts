/** How far a person has come in the course. Kept in this browser, and for somebody whom the server
 *  knows also there (`sharing.ts`). */

export interface CourseProgress {
  /** How many questions of a lesson have been answered, by its id. */
  steps: Record<string, number>;
  /** Whether the guided game was played to its end. */
  game: boolean;
}

const STORED = 'cabochon.lessons';

export function courseProgress(): CourseProgress {
  try {
    const found = JSON.parse(localStorage.getItem(STORED) ?? '{}') as Partial<CourseProgress>;
    return { steps: found.steps ?? {}, game: found.game ?? false };
  } catch {
    return { steps: {}, game: false };
  }
}

export function keep(progress: CourseProgress): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(progress));
  } catch {
    // Without storage it is forgotten with the page.
  }
}

/** A question was answered: what had been reached before stays. */
export function answered(lesson: string, step: number): void {
  const progress = courseProgress();
  const before = progress.steps[lesson] ?? 0;
  keep({ ...progress, steps: { ...progress.steps, [lesson]: Math.max(before, step + 1) } });
}

export function playedGuided(): void {
  keep({ ...courseProgress(), game: true });
}

/** The farther of both, lesson by lesson. */
export function merged(one: CourseProgress, other: CourseProgress): CourseProgress {
  const steps = { ...one.steps };
  for (const [lesson, done] of Object.entries(other.steps)) steps[lesson] = Math.max(steps[lesson] ?? 0, done);
  return { steps, game: one.game || other.game };
}

/** Where to go on: the first question not answered yet; from the start when all were. */
export function resumeAt(progress: CourseProgress, lesson: string, steps: number): number {
  const done = progress.steps[lesson] ?? 0;
  return done < steps ? done : 0;
}
