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

const PAGE = `<!DOCTYPE html><html><head><title>Notes</title></head><body>
<ul id="notes"></ul><label>Title <input id="title"></label><button id="add">Add</button><button id="forge">Forge</button>
<script src="js/state.js"></script>
<script>
document.getElementById('forge').onclick = () => fetch('/api/state', {
  method: 'PUT', body: JSON.stringify({ ...AppState.state, notes: [{ id: 3, title: 'Salt', done: false }, ...AppState.state.notes] }),
});
</script></body></html>`;

const STATE = `const AppState = {
  state: ${JSON.stringify(NOTES.seed)},
  push() {
    const { state } = this;
    document.getElementById('notes').innerHTML = state.notes.map(({ title }) => '<li>' + title + '</li>').join('');
    fetch('/api/state', { method: 'PUT', body: JSON.stringify(state) });
  },
};
document.getElementById('add').onclick = () => {
  const { state } = AppState;
  const title = document.getElementById('title').value;
  state.notes.unshift({ id: state._nextNoteId++, title, done: false, createdAt: new Date().toISOString() });
  AppState.push();
};
AppState.push();`;

/** The same, with a page that adds notes; its button "Forge" sends a state from outside its scripts. */
export const PLAYABLE_NOTES: Record<string, string> = {
  ...NOTES_FILES,
  'apps/notes/index.html': PAGE,
  'apps/notes/js/state.js': STATE,
};
