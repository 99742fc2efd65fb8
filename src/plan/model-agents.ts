import { type ModelEntrant, modelEntrants, type ModelSetup } from '../agent/model/setup.ts';
import type { AgentChoice } from '../agent/agent-choice.ts';

/** The models that may take part, as agents. Code that asks models is loaded with this file, and with no other. */
export function modelAgents(setup: ModelSetup): AgentChoice[] {
  return modelEntrants(setup).map(choiceOf);
}

function choiceOf(entrant: ModelEntrant): AgentChoice {
  return {
    id: entrant.id,
    aliases: entrant.aliases,
    about: entrant.about,
    decider: 'model',
    takesPictures: entrant.takesPictures,
    ...(entrant.ends === undefined ? {} : { ends: entrant.ends }),
    // Looked up when it is needed: an invalid address concerns only the models that are asked there.
    get model() {
      return entrant.facts;
    },
    assertReady: () => {
      entrant.assertReady();
    },
    ask: async (withTools, signal) => await entrant.ask(withTools, signal),
    forCell: async ({ suite, task, fault, surface, interaction, iteration, redact }) => {
      const name = fault === null ? task.id : `${task.id}+${fault}`;
      const cell = { suite, task: name, surface, interaction, iteration };
      const made = await entrant.forCell(cell, redact);
      if (made === null) return { notApplicable: 'there is no cassette of this episode in the folder' };
      return { agent: made.agent, transcript: made.cassette, model: made.facts };
    },
  };
}
