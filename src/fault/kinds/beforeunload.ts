import { pageKind } from '../page-kind.ts';

export const beforeunload = pageKind(
  'beforeunload',
  'a dialog asks whoever leaves the page; it has fired when that opens',
  {
    text: 'Changes may be lost.',
    script: `() => {
    const hold = (event) => { event.preventDefault(); event.returnValue = text; };
    addEventListener('beforeunload', hold);
    return () => { removeEventListener('beforeunload', hold); };
  }`,
    dialog: { isOwn: ({ type }) => type === 'beforeunload', opensItself: false },
  },
);
