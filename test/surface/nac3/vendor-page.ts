/** A page with a runtime of ours that does what the standard leaves open as its vendor's does, and no more than these tests need. */
export function vendorPage(body: string, { host = '', nac = '' }: { host?: string; nac?: string } = {}): string {
  return `<html lang="en"><body>${body}<script>
    window.done = [];
    const say = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail }));
    const all = (id) => [...document.querySelectorAll('[data-nac-id="' + id + '"]')];
    const one = (id) => all(id).find((each) => each.checkVisibility()) ?? all(id)[0];
    const described = (element, plugin) => ({
      nac_id: element.dataset.nacId, plugin, role: element.dataset.nacRole ?? 'action', action: element.dataset.nacAction ?? null,
      field_type: element.dataset.nacFieldType ?? null, label: element.getAttribute('aria-label') ?? element.textContent,
      value: element.type === 'checkbox' ? element.checked : element.value ?? null, visible: element.checkVisibility(), disabled: false,
    });
    const NAC = window.NAC = {
      version: '2.3.0',
      manifests: [],
      manifest: () => NAC.manifests,
      describe: () => ({ nac_version: '2.3.0', active: 'shop', plugins: [...document.querySelectorAll('[data-nac-plugin]')].map((root) => ({
        plugin: root.dataset.nacPlugin,
        elements: [...root.querySelectorAll('[data-nac-id]')].map((each) => described(each, root.dataset.nacPlugin)),
      })) }),
      click: async (id) => (done.push(id), one(id).click(), { ok: true }),
      // It takes any text for yes, and knows a box by its description alone.
      fill: async (id, value) => {
        const field = one(id);
        if (field.dataset.nacFieldType === 'checkbox') field.checked = !!value;
        else field.value = String(value);
        done.push([id, value]);
        return { ok: true };
      },
      select: async (id, value) => ((one(id).value = value), done.push([id, value]), { ok: true }),
      // It clicks, and leaves out what it does not know.
      click_by_verb: async (plugin, verb) => {
        done.push(verb);
        return { ok: true };
      },
      tab: (plugin, key) => new Promise((resolve, reject) => {
        setTimeout(() => reject(Object.assign(new Error('no tab event'), { code: 'timeout' })), 60_000);
        done.push(key);
        one(key).click();
      }),
      ${nac}
    };
    ${host}
  </script></body></html>`;
}

/** Calls on tables, for {@link vendorPage}. */
export const TABLE_CALLS = `
  tables: { 'shop.lines': { rows: [{ id: 'L1', text: 'Pen', price: 2 }], owner: 'shop.list' } },
  describe_v2: () => ({ data_tables: Object.entries(NAC.tables).map(([table_id, { rows, owner }]) => ({
    table_id, scope_owner: owner, subkind: 'collection',
    schema: { row_id_field: 'id', supports: ['add_row', 'remove_row'], row_axis: null, column_axis: null,
      columns: [{ key: 'id', type: 'text', editable: false }, { key: 'text', type: 'text', editable: true, required: true }, { key: 'price', type: 'number', editable: true }] },
    current_state: { rows, aggregates: {}, modified: false, valid: true, selected_count: 0, selected_ids: [] },
  })) }),
  dt_add_row: (id, values) => {
    if (values.text === undefined) return { ok: false, error: 'required', column: 'text' };
    NAC.tables[id].rows.push({ id: 'L' + (NAC.tables[id].rows.length + 1), ...values });
    return { ok: true };
  },
  dt_remove_row: (id, row) => { NAC.tables[id].rows = NAC.tables[id].rows.filter((each) => each.id !== row); },
`;
