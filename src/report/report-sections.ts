import type { Section } from './document.ts';
import type { Report } from './report.ts';
import { recoverySection, signInSection } from './sections/axes.ts';
import { claimSection } from './sections/claims.ts';
import { effortSection, reliabilitySection } from './sections/effort.ts';
import { episodeSection, failureSection } from './sections/episodes.ts';
import { phantomSection, successSection, taskSection, testimonySection, tradeOffSection } from './sections/results.ts';

/** All sections of a report in the order of every renderer; some are empty. */
export function reportSections(report: Report): Section[] {
  return [
    successSection(report),
    failureSection(report),
    taskSection(report),
    episodeSection(report),
    claimSection(report),
    recoverySection(report),
    signInSection(report),
    tradeOffSection(report),
    phantomSection(report),
    testimonySection(report),
    reliabilitySection(report),
    effortSection(report),
  ];
}
