import { miss, saved, type Situation, type TaskInput } from '../situation.ts';

type Step = NonNullable<TaskInput['solutions']>[number]['steps'][number];
const upload = (name: string, files: string[], role = 'button'): Step => ({ do: 'upload', role, name, files });

/** Saves the names and texts of files as they arrive. */
const TAKE = `<script>
  const take = async (files) => save({
    files: Array.from(files, ({ name }) => name),
    texts: await Promise.all(Array.from(files, (file) => file.text())),
  });
</script>`;
const TEXTS = 'march.txt april.txt'.split(' ');
const march = { files: ['march.txt'], texts: ['Invoice 2207: 1,200 EUR\n'] };
const both = { files: TEXTS, texts: [...march.texts, 'Invoice 2208: 300 EUR\n'] };

export const files: Situation[] = [
  {
    id: 'upload',
    title: 'A file field',
    goal: 'Hand in the invoice of March, march.txt.',
    html: `${TAKE}<p><label>Invoice <input type="file" onchange="take(files)"></label></p><p><label>Contract <input type="file" onchange="save({ contract: files[0].name })"></label></p>`,
    files: TEXTS,
    saved: [march],
    steps: [upload('Invoice', ['march.txt']), saved],
    misses: [
      miss('another file', upload('Invoice', ['april.txt']), saved),
      miss('another field', upload('Contract', ['march.txt']), saved),
    ],
  },
  {
    id: 'upload-several',
    title: 'A field for several files',
    goal: 'Hand in both invoices at once, march.txt first.',
    html: `${TAKE}<p><label>Invoices <input type="file" multiple onchange="take(files)"></label></p>`,
    files: TEXTS,
    saved: [both],
    steps: [upload('Invoices', TEXTS), saved],
    misses: [
      miss('one is missing', upload('Invoices', ['march.txt']), saved),
      miss('one after the other', upload('Invoices', ['march.txt']), saved, upload('Invoices', ['april.txt'])),
    ],
  },
  {
    id: 'upload-label',
    title: 'A hidden field behind its label',
    goal: 'Hand in the invoice of March, march.txt.',
    html: `${TAKE}<input type="file" id="field" hidden onchange="take(files)"><div style="display: inline-block; border: 1px dashed"><label for="field" style="display: block; padding: 20px">Drop your invoice here</label></div>`,
    files: TEXTS,
    saved: [march],
    steps: [upload('Drop your invoice here', ['march.txt'], 'generic'), saved],
    misses: [miss('another file', upload('Drop your invoice here', ['april.txt'], 'generic'), saved)],
    sources: ['https://github.com/browser-use/browser-use/pull/1759'],
  },
  {
    id: 'upload-chooser',
    title: 'A button that opens the file chooser',
    goal: 'Add both invoices at once, march.txt first.',
    html: `${TAKE}<button id="add">Add invoices</button><script>
      document.querySelector('#add').onclick = () => {
        const field = Object.assign(document.createElement('input'), { type: 'file', multiple: true });
        field.onchange = () => take(field.files);
        field.click();
      };
    </script>`,
    files: TEXTS,
    saved: [both],
    steps: [upload('Add invoices', TEXTS), saved],
    misses: [miss('one is missing', upload('Add invoices', ['april.txt']), saved)],
    sources: [
      'https://github.com/ChromeDevTools/chrome-devtools-mcp/issues/2310',
      'https://github.com/vercel-labs/agent-browser/issues/1102',
    ],
  },
  {
    id: 'upload-refused',
    title: 'A field that takes only pictures',
    goal: 'Hand in the receipt in the form that the page takes.',
    html: `<p><label>Receipt <input type="file" accept="image/*"></label></p><p id="why"></p><script>
      document.querySelector('input').onchange = async ({ target: { files: [{ name, type, size }] } }) => {
        if (type.startsWith('image/')) await save({ name, type, size });
        else document.querySelector('#why').textContent = 'Only pictures are taken';
      };
    </script>`,
    files: ['april.txt', 'receipt.png'],
    saved: [{ name: 'receipt.png', type: 'image/png', size: 74 }],
    steps: [upload('Receipt', ['receipt.png']), saved],
    misses: [miss('as text', upload('Receipt', ['april.txt']), { do: 'wait_for', text: 'Only pictures are taken' })],
    sources: ['https://github.com/browser-use/browser-use/issues/4662'],
  },
];
