import { click, miss, saved, type Situation } from '../situation.ts';

const CARDS = ['Paint the fence', 'Mow the lawn'];

export const pointer: Situation[] = [
  {
    id: 'drag-drop',
    title: 'Drag and drop',
    goal: 'Move the card "Paint the fence" to "Done".',
    html: `<style>ul { min-height: 60px; border: 1px solid; }</style>${['To do', 'Doing', 'Done'].map((name) => `<h2>${name}</h2><ul aria-label="${name}"></ul>`).join('')}<script>
      const [todo, ...rest] = document.querySelectorAll('ul');
      for (const name of ${JSON.stringify(CARDS)}) {
        const card = todo.appendChild(document.createElement('li'));
        card.textContent = name;
        card.ariaLabel = name;
        card.draggable = true;
        card.ondragstart = ({ dataTransfer }) => dataTransfer.setData('text/plain', name);
      }
      for (const list of [todo, ...rest]) {
        list.ondragover = (event) => event.preventDefault();
        list.ondrop = (event) => { event.preventDefault(); save({ card: event.dataTransfer.getData('text/plain'), to: list.ariaLabel }); };
      }
    </script>`,
    saved: [{ card: 'Paint the fence', to: 'Done' }],
    steps: [{ do: 'drag', role: 'listitem', name: 'Paint the fence', to: { role: 'list', name: 'Done' } }, saved],
    misses: [
      miss(
        'another list',
        { do: 'drag', role: 'listitem', name: 'Paint the fence', to: { role: 'list', name: 'Doing' } },
        saved,
      ),
      miss(
        'another card',
        { do: 'drag', role: 'listitem', name: 'Mow the lawn', to: { role: 'list', name: 'Done' } },
        saved,
      ),
    ],
  },
  {
    id: 'drag-pointer',
    title: 'A drag of pointer events',
    goal: 'Drag the button "Knob" onto "High".',
    html: `<style>#marks button { margin: 20px; }</style><button id="knob" style="touch-action: none">Knob</button><div id="marks">${['Low', 'Middle', 'High'].map((each) => `<button>${each}</button>`).join('')}</div><script>
      const knob = document.querySelector('#knob');
      let held = false;
      knob.onpointerdown = () => { held = true; };
      document.onpointerup = ({ clientX, clientY }) => {
        if (!held) return;
        held = false;
        const mark = document.elementFromPoint(clientX, clientY)?.closest('#marks button');
        if (mark) save({ level: mark.textContent });
      };
    </script>`,
    saved: [{ level: 'High' }],
    steps: [{ do: 'drag', role: 'button', name: 'Knob', to: { role: 'button', name: 'High' } }, saved],
    misses: [
      miss('not as far', { do: 'drag', role: 'button', name: 'Knob', to: { role: 'button', name: 'Middle' } }, saved),
    ],
  },
  {
    id: 'hover-menu',
    title: 'A menu that opens under the pointer',
    goal: 'In the menu "File", choose "Export".',
    html: `<style>#menu { display: none; } nav:hover #menu { display: block; }</style><nav><button>File</button><div id="menu"><script>offer(['New', 'Export', 'Print'])</script></div></nav>`,
    saved: [{ choice: 'Export' }],
    steps: [{ do: 'hover', role: 'button', name: 'File' }, click('Export'), saved],
    misses: [miss('another entry', { do: 'hover', role: 'button', name: 'File' }, click('Print'), saved)],
  },
  {
    id: 'double-click',
    title: 'A double click',
    goal: 'Open the folder "Letters": folders open by a double click.',
    html: `<script>
      for (const name of ['Letters', 'Photos', 'Bills']) {
        const folder = document.body.appendChild(document.createElement('button'));
        folder.textContent = name;
        folder.ondblclick = () => save({ opened: name });
      }
    </script>`,
    saved: [{ opened: 'Letters' }],
    steps: [{ do: 'double_click', role: 'button', name: 'Letters' }, saved],
    misses: [
      miss('another folder', { do: 'double_click', role: 'button', name: 'Photos' }, saved),
      miss('one click', click('Letters')),
    ],
  },
  {
    id: 'context-menu',
    title: 'A context menu',
    goal: 'By the context menu of "Holiday.jpg", rotate it.',
    html: `<style>#menu { display: none; position: fixed; }</style><button class="file">Holiday.jpg</button> <button class="file">Receipt.jpg</button><div id="menu" role="menu"></div><script>
      let file = '';
      const menu = document.querySelector('#menu');
      offer(['Rotate', 'Crop', 'Delete'], menu, (choice) => save({ file, choice }));
      for (const each of document.querySelectorAll('.file')) each.oncontextmenu = (event) => {
        event.preventDefault();
        file = each.textContent;
        Object.assign(menu.style, { display: 'block', left: event.clientX + 'px', top: event.clientY + 'px' });
      };
    </script>`,
    saved: [{ file: 'Holiday.jpg', choice: 'Rotate' }],
    steps: [{ do: 'right_click', role: 'button', name: 'Holiday.jpg' }, click('Rotate'), saved],
    misses: [
      miss('another file', { do: 'right_click', role: 'button', name: 'Receipt.jpg' }, click('Rotate'), saved),
      miss('another entry', { do: 'right_click', role: 'button', name: 'Holiday.jpg' }, click('Crop'), saved),
    ],
  },
  {
    id: 'canvas',
    title: 'A board that is painted',
    goal: 'Press the green square of the board.',
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>A board</title><script src="/save.js"></script><body style="margin: 0">
      <canvas width="300" height="100"></canvas><p id="status" role="status"></p><script>
      const canvas = document.querySelector('canvas');
      const pen = canvas.getContext('2d');
      const COLOURS = ['red', 'green', 'blue'];
      COLOURS.forEach((colour, at) => { pen.fillStyle = colour; pen.fillRect(at * 100, 0, 100, 100); });
      canvas.onclick = ({ offsetX }) => save({ pressed: COLOURS[Math.floor(offsetX / 100)] });
    </script>`,
    saved: [{ pressed: 'green' }],
    steps: [{ do: 'click_at', x: 150, y: 50 }, saved],
    misses: [miss('the red one', { do: 'click_at', x: 50, y: 50 }, saved)],
  },
];
