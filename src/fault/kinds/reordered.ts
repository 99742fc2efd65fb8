import { pageKind } from '../page-kind.ts';

export const reordered = pageKind('reordered', 'the list around the element runs backwards for a time', {
  script: `() => {
    let list = element.parentElement;
    while (list !== null && list.children.length < 2) list = list.parentElement;
    const order = [...(list === null ? [] : list.childNodes)];
    for (const node of order) list.prepend(node);
    return () => { if (order.every((node) => node.parentNode === list)) list.append(...order); };
  }`,
});
