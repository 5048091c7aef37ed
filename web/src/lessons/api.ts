/** The course over HTTP. Whether an answer is right is known to the server alone. */

import { get, post } from '../api';
import type { CourseInfo, LessonInfo, LessonQuestion, LessonTold, LessonTried } from '../generated/api';

export type { CourseInfo, LessonInfo, LessonQuestion, LessonTold, LessonTried };

export const getCourse = (): Promise<CourseInfo> => get('/lessons');

export const getLesson = (id: string): Promise<LessonTold> => get(`/lessons/${encodeURIComponent(id)}`);

export const tryMoves = (id: string, step: number, moves: string[]): Promise<LessonTried> =>
  post(`/lessons/${encodeURIComponent(id)}/try`, { step, moves });

export const tryOption = (id: string, step: number, option: string): Promise<LessonTried> =>
  post(`/lessons/${encodeURIComponent(id)}/try`, { step, option });

export const getAnswer = (id: string, step: number): Promise<LessonTried> =>
  get(`/lessons/${encodeURIComponent(id)}/answer?step=${step}`);
