export const TEA = { id: 1, title: 'Tea', done: false };
export const MILK = { id: 2, title: 'Milk', done: false };

/** An app of ours in the form of WebArena-Infinity: notes, a list of people, and two tasks. */
export const NOTES = {
  seed: {
    notes: [TEA, MILK],
    people: [{ id: 'p1', name: 'Ada' }],
    _nextNoteId: 3,
  },
  rows: [
    { id: 'task_e1', difficulty: 'easy', instruction: 'Tick the note "Tea".', verify: 'real-tasks/task_e1.py' },
    { id: 'task_e2', difficulty: 'easy', instruction: 'Add the note "Salt".', verify: 'real-tasks/task_e2.py' },
  ],
};

const SANITY_CHECK = `import json
import subprocess
import requests

def generate_seed_state():
    seed = subprocess.run(["node", "-p", 'JSON.stringify(${JSON.stringify(NOTES.seed)})'], capture_output=True, text=True)
    return json.loads(seed.stdout)

def solve_task_e1(state):
    state["notes"][0]["done"] = True

def solve_task_e2(state):
    state["notes"].insert(0, {"id": 3, "title": "Salt", "done": False, "createdAt": "2026-01-01T12:00:00Z"})
    state["_nextNoteId"] = 4

SOLVERS = {"task_e1": solve_task_e1, "task_e2": solve_task_e2}
`;

const verifier = (test: string): string => `import requests

def verify(server_url):
    state = requests.get(f"{server_url}/api/state").json()
    return ${test}, "checked"
`;

/** The files of the app, in a checkout. */
export const NOTES_FILES: Record<string, string> = {
  'apps/notes/real-tasks.json': JSON.stringify(NOTES.rows, null, 2),
  'apps/notes/sanity_check_real.py': SANITY_CHECK,
  'apps/notes/real-tasks/task_e1.py': verifier('state["notes"][0]["done"]'),
  'apps/notes/real-tasks/task_e2.py': verifier('any(note["title"] == "Salt" for note in state["notes"])'),
};
