import { click, miss, saved, see, type Situation } from '../situation.ts';

const toTab = (index: number) => ({ do: 'switch_tab' as const, index });
const CHOICES = `<p>Choose a seat.</p><script>offer(['Window', 'Aisle', 'Middle'])</script>`;
const seat = {
  goal: 'Choose the seat at the window. The seats open in a tab of their own.',
  saved: [{ choice: 'Window' }],
};

export const tabs: Situation[] = [
  {
    id: 'tab-link',
    title: 'A link to a new tab',
    ...seat,
    html: `<a href="/tab-link/seats" target="_blank">Seats</a>`,
    more: { seats: CHOICES },
    steps: [click('Seats', 'link'), toTab(1), see('Choose a seat.'), click('Window'), saved],
    misses: [
      miss('another seat', click('Seats', 'link'), toTab(1), see('Choose a seat.'), click('Aisle'), saved),
      miss('no seat', click('Seats', 'link'), toTab(1), see('Choose a seat.')),
    ],
  },
  {
    id: 'tab-popup',
    title: 'A window that a script opens',
    ...seat,
    html: `<button onclick="window.open('/tab-popup/seats', '', 'width=400,height=300')">Seats</button>`,
    more: { seats: CHOICES },
    steps: [click('Seats'), toTab(1), see('Choose a seat.'), click('Window'), saved],
    misses: [miss('another seat', click('Seats'), toTab(1), see('Choose a seat.'), click('Aisle'), saved)],
  },
  {
    id: 'tab-late',
    title: 'A tab that opens late',
    ...seat,
    html: `<p id="wait"></p><button onclick="document.querySelector('#wait').textContent = 'One moment.'; setTimeout(() => { window.open('/tab-late/seats'); document.querySelector('#wait').textContent = 'Opened in a new tab.'; }, 900)">Seats</button>`,
    more: { seats: CHOICES },
    steps: [click('Seats'), see('Opened in a new tab.'), toTab(1), see('Choose a seat.'), click('Window'), saved],
    misses: [
      miss(
        'another seat',
        click('Seats'),
        see('Opened in a new tab.'),
        toTab(1),
        see('Choose a seat.'),
        click('Aisle'),
        saved,
      ),
    ],
  },
  {
    id: 'tab-closes',
    title: 'A window that closes itself',
    goal: 'Sign in as Ada in the window that opens, then order tea.',
    html: `<button onclick="window.open('/tab-closes/users', '', 'width=400,height=300')">Sign in</button><p id="user"></p><script>
        let user = null;
        onmessage = ({ data }) => { user = data; document.querySelector('#user').textContent = 'Signed in as ' + user; };
        offer(['Order tea', 'Order coffee'], undefined, (choice) => save({ choice, user: String(user) }));
      </script>`,
    more: {
      users: `<p>Who are you?</p><script>offer(['Ada', 'Grace', 'Alan'], undefined, (name) => { opener.postMessage(name, '*'); close(); })</script>`,
    },
    saved: [{ choice: 'Order tea', user: 'Ada' }],
    steps: [
      click('Sign in'),
      toTab(1),
      see('Who are you?'),
      click('Ada'),
      toTab(0),
      see('Signed in as Ada'),
      click('Order tea'),
      saved,
    ],
    misses: [
      miss('without signing in', click('Order tea'), saved),
      miss(
        'signed in as Grace',
        click('Sign in'),
        toTab(1),
        see('Who are you?'),
        click('Grace'),
        toTab(0),
        see('Signed in as Grace'),
        click('Order tea'),
        saved,
      ),
    ],
  },
  {
    id: 'tab-two',
    title: 'A choice that is read in another tab',
    goal: 'The tab "Rates" names the cheapest room. Book that room on this page.',
    html: `<a href="/tab-two/rates" target="_blank">Rates</a><script>offer(['Book the garden room', 'Book the lake room', 'Book the roof room'])</script>`,
    more: { rates: `<p>Cheapest today: the lake room.</p>` },
    saved: [{ choice: 'Book the lake room' }],
    steps: [click('Rates', 'link'), toTab(1), see('Cheapest today'), toTab(0), click('Book the lake room'), saved],
    misses: [miss('another room', click('Book the roof room'), saved), miss('no room', click('Rates', 'link'))],
  },
];
