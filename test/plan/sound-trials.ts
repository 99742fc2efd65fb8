import { CONTROLS, type TaskTrialsProof } from '../../src/plan/task-qualification.ts';

export const SOUND: TaskTrialsProof = {
  task_hash: 'a'.repeat(64),
  contract_hash: 'b'.repeat(64),
  start_fault: null,
  reference: { passed: 3, of: 3 },
  other_routes: { passed: 1, of: 1 },
  controls: Object.fromEntries(CONTROLS.map((id) => [id, 'failed'])),
  near_misses: [{ why: 'it was not saved', status: 'failed' }],
  mutants: [{ mutant: 'success:drop', killed_by: 'near-miss-1', seen: true, waived: null }],
  needless_waivers: [],
  perturbed: { judged: 18, right: { passed: 2, of: 2 }, inconclusive: 0, false_passes: [] },
  volatile: [],
};
