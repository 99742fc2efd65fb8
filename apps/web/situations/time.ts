import { approved, click, fill, miss, saved, see, type Situation } from '../situation.ts';

const CHOICES = ['Approve', 'Reject', 'Postpone'];
const offered = JSON.stringify(CHOICES);

export const time: Situation[] = [
  {
    id: 'late-content',
    title: 'Content that comes after a second',
    ...approved,
    html: `<p id="wait">Loading.</p><script>setTimeout(() => { document.querySelector('#wait').textContent = 'Ready.'; offer(${offered}, document.body); }, 1200)</script>`,
    steps: [see('Ready.'), click('Approve'), saved],
    misses: [
      miss('it was rejected', see('Ready.'), click('Reject'), saved),
      miss('it was only looked at', see('Ready.')),
    ],
  },
  {
    id: 'late-overlay',
    title: 'An overlay that goes away',
    ...approved,
    html: `<div id="cover" style="position: fixed; inset: 0; background: #fffb">Loading.</div><script>
      offer(${offered});
      setTimeout(() => document.querySelector('#cover').remove(), 1500);
    </script>`,
  },
  {
    id: 'late-replaced',
    title: 'Buttons that are drawn again and again',
    ...approved,
    html: `<div id="box"></div><script>
      const box = document.querySelector('#box');
      function draw() { box.replaceChildren(); offer(${offered}, box); }
      draw();
      setInterval(draw, 1000);
    </script>`,
  },
  {
    id: 'late-keys',
    title: 'A field that is drawn again at each key',
    goal: 'Search for "teapot", and order it.',
    html: `<div id="box"></div><script>
      let query = '';
      const box = document.querySelector('#box');
      function draw() {
        box.innerHTML = '<label>Search <input></label><p></p>';
        const input = box.querySelector('input');
        input.value = query;
        input.oninput = () => { query = input.value; draw(); box.querySelector('input').focus(); };
        offer(['Order teapot', 'Order teacup', 'Order tea towel'].filter((each) => each.includes(query)), box.querySelector('p'));
      }
      draw();
    </script>`,
    saved: [{ choice: 'Order teapot' }],
    steps: [fill('Search', 'teapot'), { do: 'settle' }, click('Order teapot'), saved],
    misses: [
      miss('something else', fill('Search', 'teacup'), { do: 'settle' }, click('Order teacup'), saved),
      miss('nothing', fill('Search', 'teapot')),
    ],
  },
  {
    id: 'late-rollback',
    title: 'A change that is taken back',
    goal: 'Set the status to "Away". If that is undone, set it again.',
    html: `<p id="shown">Online</p><script>
      let tries = 0;
      offer(['Away', 'Busy', 'Online'], undefined, (choice) => {
        document.querySelector('#shown').textContent = choice;
        tries += 1;
        const isFirst = tries === 1;
        setTimeout(() => {
          if (!isFirst) return save({ status: choice });
          document.querySelector('#shown').textContent = 'Online. The change was undone.';
        }, 700);
      });
    </script>`,
    saved: [{ status: 'Away' }],
    steps: [click('Away'), see('The change was undone.'), click('Away'), saved],
    misses: [
      miss('it was left undone', click('Away'), see('The change was undone.')),
      miss('another status', click('Busy'), see('The change was undone.'), click('Busy'), saved),
    ],
  },
  {
    id: 'late-saved',
    title: 'A form that saves by itself',
    goal: 'Change the title to "Minutes", and wait until it is saved.',
    html: `<label>Title <input value="Draft"></label><script>
      let timer;
      document.querySelector('input').oninput = ({ target }) => { clearTimeout(timer); timer = setTimeout(() => save({ title: target.value }), 800); };
    </script>`,
    saved: [{ title: 'Minutes' }],
    steps: [fill('Title', 'Minutes'), saved],
    misses: [miss('another title', fill('Title', 'Agenda'), saved)],
  },
  {
    id: 'moving',
    title: 'Buttons that never stand still',
    ...approved,
    html: `<style>@keyframes drift { to { transform: translateX(40px); } } button { animation: drift 2s ease-in-out infinite alternate; }</style><script>offer(${offered})</script>`,
  },
  {
    id: 'shifted',
    title: 'A page that shifts while it loads',
    ...approved,
    html: `<div id="late"></div><script>
      offer(${offered});
      setTimeout(() => { document.querySelector('#late').style.height = '120px'; }, 500);
      setTimeout(() => { document.querySelector('#late').style.height = '260px'; }, 1100);
    </script>`,
  },
  {
    id: 'ticking',
    title: 'A clock that runs',
    ...approved,
    html: `<p id="clock"></p><script>
      offer(${offered});
      setInterval(() => { document.querySelector('#clock').textContent = performance.now().toFixed(0); }, 50);
    </script>`,
  },
  {
    id: 'endless-load',
    title: 'A page that never finishes loading',
    ...approved,
    html: `<img src="/never" alt="" width="1" height="1"><script>offer(${offered})</script>`,
    sources: ['https://github.com/microsoft/playwright/issues/41784'],
  },
];
