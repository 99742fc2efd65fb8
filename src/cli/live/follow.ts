import type { Plan } from '../../plan/plan.ts';
import type { CampaignListener } from '../../run/listener.ts';
import { ProgressPrinter } from '../progress-printer.ts';
import type { Terminal } from '../terminal.ts';
import { showCourse } from './course-display.ts';
import { CourseListener } from './course.ts';
import { EventLines } from './event-lines.ts';
import { together } from './listeners.ts';

interface Following {
  plan: Pick<Plan, 'tasks' | 'entrants' | 'iterations'>;
  verbose: boolean;
  json: boolean;
  /** The most that it may cost and take, in words; null where nobody can tell. */
  bounds: string | null;
  /** Whether somebody has to pay for what this agent asks. */
  isBilled: (agent: string) => boolean;
}

/** Begins to follow a campaign: in words for people, in events for machines. */
export function follow({ plan, verbose, json, bounds, isBilled }: Following, terminal: Terminal) {
  const course = new CourseListener({ iterations: plan.iterations, isBilled });
  if (json) {
    const events = new EventLines(terminal, course, { verbose });
    return { listener: together(course, events), end: events.tellProgress() };
  }
  const listener: CampaignListener = together(course, new ProgressPrinter(terminal, { verbose, plan, bounds }));
  return { listener, end: showCourse(() => course.course, terminal) };
}
