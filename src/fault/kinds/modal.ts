import { pageKind } from '../page-kind.ts';

const TEXT = 'Your session is being renewed.';

export const modal = pageKind('modal', 'a dialog opens; who answers it goes on', {
  text: TEXT,
  script: '() => { setTimeout(() => { alert(text); }, 0); return () => {}; }',
  dialog: { isOwn: ({ message }) => message === TEXT, opensItself: true },
});
