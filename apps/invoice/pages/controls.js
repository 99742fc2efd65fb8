/**
 * Every control: what NAC3 calls its role and its verb, and its one name in both languages. `{invoice}` and `{line}`
 * stand for what the control belongs to.
 */
export const CONTROLS = {
  'field.language': { role: 'field', es: 'Idioma', en: 'Language' },
  'filter.status': { role: 'filter-control', es: 'Filtrar por estado', en: 'Filter by status' },
  'field.new_invoice_client': { role: 'field', es: 'Cliente de la nueva factura', en: 'Client of the new invoice' },
  'invoice.create': { role: 'action', verb: 'create', es: 'Crear factura', en: 'Create invoice' },
  'table.invoices': { role: 'data-table', es: 'Facturas', en: 'Invoices' },
  'invoice.open.{invoice}': { role: 'action', verb: 'open', es: 'Abrir {invoice}', en: 'Open {invoice}' },
  'invoice.cancel.{invoice}': {
    role: 'action',
    verb: 'cancel',
    hint: 'irreversible|requires_confirmation',
    es: 'Cancelar {invoice}',
    en: 'Cancel {invoice}',
  },
  'modal.cancel': { role: 'confirm-dialog', es: '¿Cancelar {invoice}?', en: 'Cancel {invoice}?' },
  'confirm.yes': { role: 'confirm-button', es: 'Sí, cancelar {invoice}', en: 'Yes, cancel {invoice}' },
  'confirm.no': { role: 'confirm-button', es: 'No, conservar {invoice}', en: 'No, keep {invoice}' },
  'tab.client': { role: 'tab', es: '1. Cliente', en: '1. Client' },
  'tab.lines': { role: 'tab', es: '2. Líneas', en: '2. Lines' },
  'tab.conditions': { role: 'tab', es: '3. Condiciones', en: '3. Conditions' },
  'step.previous': { role: 'step', es: 'Paso anterior', en: 'Previous step' },
  'step.next': { role: 'step', es: 'Paso siguiente', en: 'Next step' },
  'field.client_name': { role: 'field', es: 'Nombre del cliente', en: 'Client name' },
  'field.tax_id': { role: 'field', es: 'CUIT', en: 'Tax id' },
  'field.address': { role: 'field', es: 'Domicilio', en: 'Address' },
  'field.email': { role: 'field', es: 'Correo electrónico', en: 'Email' },
  'field.phone': { role: 'field', es: 'Teléfono', en: 'Phone' },
  'field.date': { role: 'field', es: 'Fecha (AAAA-MM-DD)', en: 'Date (YYYY-MM-DD)' },
  'table.lines': { role: 'data-table', es: 'Líneas de la factura', en: 'Lines of the invoice' },
  'line.add': { role: 'action', verb: 'add_row', es: 'Agregar línea', en: 'Add line' },
  'field.line_{line}_description': {
    role: 'field',
    es: 'Descripción de la línea {line}',
    en: 'Description of line {line}',
  },
  'field.line_{line}_quantity': { role: 'field', es: 'Cantidad de la línea {line}', en: 'Quantity of line {line}' },
  'field.line_{line}_unit_price': {
    role: 'field',
    es: 'Precio unitario de la línea {line}',
    en: 'Unit price of line {line}',
  },
  'field.line_{line}_discount_percent': {
    role: 'field',
    es: 'Descuento de la línea {line}',
    en: 'Discount of line {line}',
  },
  'line.correct.{line}': {
    role: 'action',
    verb: 'correct_grammar',
    es: 'Corregir línea {line}',
    en: 'Correct line {line}',
  },
  'line.remove.{line}': { role: 'action', verb: 'remove_row', es: 'Eliminar línea {line}', en: 'Remove line {line}' },
  'field.payment_method': { role: 'field', es: 'Forma de pago', en: 'Payment method' },
  'field.term_days': { role: 'field', es: 'Plazo de pago', en: 'Payment term' },
  'field.term_days.0': { role: 'option', es: '0 días', en: '0 days' },
  'field.term_days.15': { role: 'option', es: '15 días', en: '15 days' },
  'field.term_days.30': { role: 'option', es: '30 días', en: '30 days' },
  'field.term_days.60': { role: 'option', es: '60 días', en: '60 days' },
  'field.observations': { role: 'field', es: 'Observaciones', en: 'Observations' },
  'invoice.save': { role: 'action', verb: 'save', es: 'Guardar factura', en: 'Save invoice' },
  'invoice.discard': {
    role: 'action',
    verb: 'discard',
    hint: 'data_loss',
    es: 'Descartar cambios',
    en: 'Discard changes',
  },
  'invoice.approve': {
    role: 'action',
    verb: 'approve',
    hint: 'irreversible',
    es: 'Aprobar factura',
    en: 'Approve invoice',
  },
  'invoice.close': { role: 'action', verb: 'close', es: 'Volver a la lista', en: 'Back to the list' },
};

/** A text with the values of its placeholders: `fill('Abrir {invoice}', { invoice: 'INV-0001' })`. */
export function fill(text, values) {
  return text.replaceAll(/\{(\w+)\}/g, (_whole, name) => String(values[name]));
}
