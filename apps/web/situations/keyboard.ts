import { click, fill, miss, press, saved, see, type Situation } from '../situation.ts';

export const keyboard: Situation[] = [
  {
    id: 'key-shortcut',
    title: 'A keyboard shortcut',
    goal: 'Open the command list with Control+K, and run "Rebuild".',
    html: `<p>Press Control+K for commands.</p><div id="list" hidden><script>offer(['Rebuild', 'Restart', 'Remove'])</script></div><script>
      document.onkeydown = (event) => {
        if (!event.ctrlKey || event.key.toLowerCase() !== 'k') return;
        event.preventDefault();
        document.querySelector('#list').hidden = false;
      };
    </script>`,
    saved: [{ choice: 'Rebuild' }],
    steps: [press('Control+K'), click('Rebuild'), saved],
    misses: [
      miss('another command', press('Control+K'), click('Restart'), saved),
      miss('no command', press('Control+K')),
    ],
  },
  {
    id: 'key-escape',
    title: 'Escape closes',
    goal: 'Close the panel with Escape, then continue with the plan "Basic".',
    html: `<div id="panel" style="position: fixed; inset: 0; background: #eee"><p>Press Escape to close this panel.</p></div><script>
      offer(['Basic', 'Team', 'Enterprise']);
      document.onkeydown = ({ key }) => { if (key === 'Escape') document.querySelector('#panel').remove(); };
    </script>`,
    saved: [{ choice: 'Basic' }],
    steps: [press('Escape'), click('Basic'), saved],
    misses: [miss('another plan', press('Escape'), click('Team'), saved), miss('no plan', press('Escape'))],
  },
  {
    id: 'key-arrows',
    title: 'A list that the arrow keys move',
    goal: 'The list has Red, Green and Blue, and Red is marked. Mark Blue with the arrow keys, and confirm with Enter.',
    html: `<ul role="listbox" tabindex="0" aria-label="Colour">${['Red', 'Green', 'Blue'].map((each, at) => `<li role="option" aria-selected="${at === 0}">${each}</li>`).join('')}</ul><script>
      const options = [...document.querySelectorAll('li')];
      let at = 0;
      document.onkeydown = ({ key }) => {
        if (key === 'Enter') save({ colour: options[at].textContent });
        if (key === 'ArrowDown') at = Math.min(at + 1, 2);
        if (key === 'ArrowUp') at = Math.max(at - 1, 0);
        options.forEach((each, index) => { each.ariaSelected = String(index === at); });
      };
    </script>`,
    saved: [{ colour: 'Blue' }],
    steps: [press('ArrowDown'), press('ArrowDown'), press('Enter'), saved],
    misses: [
      miss('one too few', press('ArrowDown'), press('Enter'), saved),
      miss('not confirmed', press('ArrowDown'), press('ArrowDown')),
    ],
  },
  {
    id: 'key-tab',
    title: 'Only the keyboard reaches it',
    goal: 'After the field "Name" comes a link for keyboards alone. Fill in Ada, go to it with Tab, and follow it with Enter.',
    html: `<style>#skip { position: absolute; left: -9999px; } #skip:focus { left: auto; }</style>
      <label>Name <input></label> <a id="skip" href="/key-tab/next">Skip to the end</a>
      <script>document.querySelector('#skip').onclick = (event) => { event.preventDefault(); save({ name: document.querySelector('input').value, skipped: event.detail === 0 }); };</script>`,
    saved: [{ name: 'Ada', skipped: true }],
    steps: [fill('Name', 'Ada'), press('Tab'), press('Enter'), saved],
    misses: [
      miss('another name', fill('Name', 'Eve'), press('Tab'), press('Enter'), saved),
      miss('it was not followed', fill('Name', 'Ada'), press('Tab')),
    ],
  },
  {
    id: 'key-copy',
    title: 'Copy and paste',
    goal: 'The field "Code" may only be pasted into. Copy the text of the field "Source" there, and save.',
    html: `<label>Source <input value="K7-PQ2"></label> <label>Code <input id="code"></label><script>
      const code = document.querySelector('#code');
      code.onkeydown = (event) => { if (!event.ctrlKey && event.key.length === 1) event.preventDefault(); };
      let pasted = false;
      code.onpaste = () => { pasted = true; };
      offer(['Save'], undefined, () => save({ code: code.value, pasted }));
    </script>`,
    saved: [{ code: 'K7-PQ2', pasted: true }],
    steps: [
      click('Source', 'textbox'),
      press('Control+A'),
      press('Control+C'),
      click('Code', 'textbox'),
      press('Control+V'),
      click('Save'),
      saved,
    ],
    misses: [
      miss('nothing was pasted', click('Save'), saved),
      miss('it was typed', fill('Code', 'K7-PQ2'), click('Save'), saved),
    ],
  },
  {
    id: 'key-typed',
    title: 'A field that listens to keys',
    goal: 'Set the PIN to 204 with the keys, and wait until it is accepted.',
    html: `<div id="pin" role="textbox" tabindex="0" aria-label="PIN" style="border: 1px solid; width: 6em; height: 1.5em"></div><script>
      const pin = document.querySelector('#pin');
      pin.onkeydown = ({ key }) => {
        if (!/^[0-9]$/.test(key)) return;
        pin.textContent += key;
        if (pin.textContent.length === 3) save({ pin: pin.textContent });
      };
    </script>`,
    saved: [{ pin: '204' }],
    steps: [click('PIN', 'textbox'), press('2'), press('0'), press('4'), saved],
    misses: [
      miss('other keys', click('PIN', 'textbox'), press('2'), press('4'), press('0'), saved),
      miss('a key is missing', click('PIN', 'textbox'), press('2'), see('2')),
    ],
  },
];
