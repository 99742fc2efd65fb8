import { click, fill, miss, saved, see, type Situation } from '../situation.ts';

const answer = (action: 'accept' | 'dismiss', text?: string) =>
  text === undefined || action === 'dismiss'
    ? { do: 'dialog' as const, action }
    : { do: 'dialog' as const, action, text };

export const dialogs: Situation[] = [
  {
    id: 'dialog-alert',
    title: 'An alert before the work',
    goal: 'Archive the message from Ines. Confirm the notice that appears.',
    html: `<script>offer(['Archive Ines', 'Archive Yuki', 'Archive Lars'], undefined, (choice) => { alert('It moves to the archive.'); save({ choice }); })</script>`,
    saved: [{ choice: 'Archive Ines' }],
    steps: [click('Archive Ines'), answer('accept'), saved],
    misses: [
      miss('another message', click('Archive Yuki'), answer('accept'), saved),
      miss('the notice stayed open', click('Archive Ines')),
    ],
  },
  {
    id: 'dialog-confirm',
    title: 'A confirmation',
    goal: 'Delete the draft "Minutes", and confirm that.',
    html: `<script>offer(['Delete Minutes', 'Delete Agenda', 'Delete Budget'], undefined, (choice) => save({ choice, confirmed: confirm('Really?') }))</script>`,
    saved: [{ choice: 'Delete Minutes', confirmed: true }],
    steps: [click('Delete Minutes'), answer('accept'), saved],
    misses: [
      miss('it was dismissed', click('Delete Minutes'), answer('dismiss'), saved),
      miss('another draft', click('Delete Agenda'), answer('accept'), saved),
    ],
  },
  {
    id: 'dialog-dismiss',
    title: 'A confirmation to refuse',
    goal: 'Press "Close the account", and decline when you are asked.',
    html: `<script>offer(['Close the account', 'Pause the account', 'Rename the account'], undefined, (choice) => save({ choice, confirmed: confirm('Really?') }))</script>`,
    saved: [{ choice: 'Close the account', confirmed: false }],
    steps: [click('Close the account'), answer('dismiss'), saved],
    misses: [
      miss('it was accepted', click('Close the account'), answer('accept'), saved),
      miss('another button', click('Pause the account'), answer('dismiss'), saved),
    ],
  },
  {
    id: 'dialog-prompt',
    title: 'A prompt',
    goal: 'Rename the folder to "Invoices 2031".',
    html: `<script>offer(['Rename', 'Copy', 'Move'], undefined, (choice) => save({ choice, name: prompt('Which name?', 'Invoices') ?? '' }))</script>`,
    saved: [{ choice: 'Rename', name: 'Invoices 2031' }],
    steps: [click('Rename'), answer('accept', 'Invoices 2031'), saved],
    misses: [
      miss('another name', click('Rename'), answer('accept', 'Invoices'), saved),
      miss('it was dismissed', click('Rename'), answer('dismiss'), saved),
    ],
  },
  {
    id: 'dialog-leave',
    title: 'A page that asks before it is left',
    goal: 'Leave this page by the link "Overview" without saving, and mark the overview as read.',
    html: `<label>Note <input></label> <button onclick="save({ note: 'saved' })">Save the note</button> <a href="/dialog-leave/overview">Overview</a>
      <script>onbeforeunload = (event) => event.preventDefault();</script>`,
    more: { overview: `<p>All notes are here.</p><script>offer(['Mark as read', 'Mark as unread'])</script>` },
    saved: [{ choice: 'Mark as read' }],
    steps: [
      fill('Note', 'draft'),
      click('Overview', 'link'),
      answer('accept'),
      see('All notes are here.'),
      click('Mark as read'),
      saved,
    ],
    misses: [
      miss('it stayed on the page', fill('Note', 'draft'), click('Overview', 'link'), answer('dismiss')),
      miss(
        'it was marked as unread',
        fill('Note', 'draft'),
        click('Overview', 'link'),
        answer('accept'),
        see('All notes are here.'),
        click('Mark as unread'),
        saved,
      ),
    ],
  },
  {
    id: 'dialog-element',
    title: 'A modal dialog of the page',
    goal: 'Unsubscribe, and give "Too many letters" as the reason.',
    html: `<button onclick="document.querySelector('dialog').showModal()">Unsubscribe</button>
      <dialog><p>Why do you leave?</p><script>offer(['Too many letters', 'Too few letters', 'Other'])</script></dialog>`,
    saved: [{ choice: 'Too many letters' }],
    steps: [click('Unsubscribe'), click('Too many letters'), saved],
    misses: [
      miss('another reason', click('Unsubscribe'), click('Other'), saved),
      miss('no reason', click('Unsubscribe')),
    ],
  },
  {
    id: 'popover',
    title: 'A popover',
    goal: 'Set the status to "Away".',
    html: `<button popovertarget="menu">Status</button><div id="menu" popover><script>offer(['Online', 'Away', 'Busy'])</script></div>`,
    saved: [{ choice: 'Away' }],
    steps: [click('Status'), click('Away'), saved],
    misses: [
      miss('another status', click('Status'), click('Busy'), saved),
      miss('the menu was only opened', click('Status')),
    ],
  },
  {
    id: 'details-closed',
    title: 'Buttons in closed details',
    goal: 'Under "More", print the letter.',
    html: `<details><summary>More</summary><script>offer(['Print', 'Share', 'Delete'])</script></details>
      <script>document.querySelector('summary').setAttribute('role', 'button')</script>`,
    saved: [{ choice: 'Print' }],
    steps: [click('More'), click('Print'), saved],
    misses: [miss('it was deleted', click('More'), click('Delete'), saved), miss('only opened', click('More'))],
  },
  {
    id: 'consent-first',
    title: 'A banner over the page',
    goal: 'Reject all cookies, then order the newspaper.',
    html: `<script>
        const record = [];
        offer(['Order the newspaper', 'Order the magazine'], undefined, (choice) => save({ choice, cookies: record.join() }));
      </script>
      <div id="banner" role="dialog" aria-label="Cookies" style="position: fixed; inset: 0; background: #eeec">
        <p>We use cookies.</p><script>
          offer(['Accept all', 'Reject all'], document.querySelector('#banner'), (choice) => { record.push(choice); document.querySelector('#banner').remove(); });
        </script>
      </div>`,
    saved: [{ choice: 'Order the newspaper', cookies: 'Reject all' }],
    steps: [click('Reject all'), click('Order the newspaper'), saved],
    misses: [
      miss('all cookies were accepted', click('Accept all'), click('Order the newspaper'), saved),
      miss('the magazine was ordered', click('Reject all'), click('Order the magazine'), saved),
    ],
  },
];
