import { MODEL_IDS, ModelEntrant, type ModelSetup } from '../agent/model/setup.ts';
import type { AgentChoice } from './agents.ts';

/** The models that may take part, as agents. Code that asks models is loaded with this file, and with no other. */
export function modelAgents(setup: ModelSetup): AgentChoice[] {
  return MODEL_IDS.map((id) => {
    const entrant = new ModelEntrant(id, setup);
    return {
      id,
      about: 'a model, asked by its provider’s API',
      decider: 'model',
      drivesItself: false,
      model: entrant.facts,
      assertReady: () => {
        entrant.assertReady();
      },
      forCell: async ({ suite, task, surface, iteration, redactor }) => {
        const redact = (text: string): string => redactor.text(text);
        const made = await entrant.forCell({ suite, task: task.id, surface, iteration }, redact);
        if (made === null) return { notApplicable: 'there is no cassette of this episode in the folder' };
        return { agent: made.agent, transcript: made.cassette, model: made.facts };
      },
    };
  });
}
