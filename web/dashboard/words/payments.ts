import { commonWords } from '#/kernel/common-words.ts'
import { counted, type Texts } from '#/kernel/dictionary.ts'
import type { Payment } from '../api/generated.ts'
import { dictionary } from './dictionary.ts'

/** What is known of a payment's customer, as a text. */
export type CustomerText = {
  [Name in keyof Payment]-?: Name extends `customer${string}`
    ? string extends Payment[Name]
      ? Exclude<Name, 'customerCountry'>
      : never
    : never
}[keyof Payment]

/** Payments: the list and one payment. */
export const paymentWords = dictionary({
  title: commonWords.payments,
  search: [
    'ID, pedido, nome, e-mail, CPF/CNPJ, valor, cartão, hash ou Pix',
    'ID, order, name, email, tax ID, amount, card, hash or Pix',
    'ID, pedido, nombre, correo, documento, importe, tarjeta, hash o Pix',
  ],
  exception: ['Exceção', 'Exception', 'Excepción'],
  anyException: ['Qualquer exceção', 'Any exception', 'Cualquier excepción'],
  template: ['Modelo', 'Template', 'Plantilla'],
  from: commonWords.fromDay,
  none: ['Nenhum pagamento ainda', 'No payments yet', 'Aún no hay pagos'],
  noneLead: [
    'Crie o primeiro aqui, ou pela API, com POST /v1/payments.',
    'Create the first one here, or through the API, with POST /v1/payments.',
    'Cree el primero aquí, o por la API, con POST /v1/payments.',
  ],
  noneFound: [
    'Nenhum pagamento com estes filtros',
    'No payments match these filters',
    'Ningún pago con estos filtros',
  ],
  noneFoundLead: [
    'Remova um filtro ou busque de outro jeito: o começo do ID, do pedido, do nome ou do e-mail do cliente; o CPF inteiro; o valor exato.',
    'Remove a filter or search another way: the beginning of the ID, the order, or the customer’s name or email; the whole tax ID; the exact amount.',
    'Quite un filtro o busque de otro modo: el comienzo del ID, del pedido, del nombre o del correo del cliente; el documento entero; el importe exacto.',
  ],
  notSearchable: [
    'Nenhum ID, pedido, nome, e-mail ou referência começa assim, e nenhum CPF/CNPJ, valor, cartão, hash ou valor de metadados é isto. Metadados fora do pedido (orderId, order_id, order, orderNumber) só são encontrados por chaves declaradas com PUT /v1/metadata-keys.',
    'No ID, order, name, email or reference begins with this, and no tax ID, amount, card, hash or metadata value is this. Metadata other than the order (orderId, order_id, order, orderNumber) is found only by keys declared with PUT /v1/metadata-keys.',
    'Ningún ID, pedido, nombre, correo ni referencia empieza así, y ningún documento, importe, tarjeta, hash ni valor de metadatos es esto. Los metadatos fuera del pedido (orderId, order_id, order, orderNumber) solo se encuentran por claves declaradas con PUT /v1/metadata-keys.',
  ],
  notAmount: ['Isto não é um valor.', 'This is not an amount.', 'Esto no es un importe.'],
  paymentOf: (amount: string) => [`Pagamento de ${amount}`, `Payment of ${amount}`, `Pago de ${amount}`],
  id: ['ID do pagamento', 'payment ID', 'ID del pago'],
  copyLink: ['Copiar link do pagador', 'Copy payer link', 'Copiar enlace del pagador'],
  openLink: ['Abrir página do pagador', 'Open payer page', 'Abrir la página del pagador'],
  refund: ['Reembolsar', 'Refund', 'Reembolsar'],
  capture: ['Capturar', 'Capture', 'Capturar'],
  simulate: ['Simular pagamento', 'Simulate payment', 'Simular pago'],
  timeline: ['O que aconteceu', 'What happened', 'Qué ocurrió'],
  deposits: ['Transferências na rede', 'Transfers on the network', 'Transferencias en la red'],
  deliveries: ['Webhooks', 'Webhooks', 'Webhooks'],
  ledger: ['Lançamentos', 'Ledger', 'Asientos'],
  items: ['Itens', 'Items', 'Artículos'],
  all: ['Tudo', 'All', 'Todo'],
  moreSteps: ['Mostrar mais', 'Show more', 'Mostrar más'],
  truncated: [
    'São mais de 100 reembolsos ou contestações: a linha do tempo mostra os 100 mais antigos.',
    'There are more than 100 refunds or disputes: the timeline shows the oldest 100.',
    'Hay más de 100 reembolsos o disputas: la línea de tiempo muestra los 100 más antiguos.',
  ],
  noDeliveries: [
    'Nenhum webhook foi enviado para este pagamento.',
    'No webhook was sent for this payment.',
    'No se envió ningún webhook por este pago.',
  ],
  noLedger: ['Nenhum dinheiro foi movimentado ainda.', 'No money has moved yet.', 'Aún no se movió dinero.'],
  customerTexts: {
    customerName: commonWords.name,
    customerEmail: commonWords.emailShort,
    customerTaxId: ['CPF/CNPJ', 'Tax ID', 'Documento'],
    customerPhone: commonWords.phone,
  } satisfies Readonly<Record<CustomerText, Texts>>,
  erased: ['Apagado', 'Erased', 'Borrado'],
  erasedNote: [
    'O que se sabia do pagador foi apagado, com a descrição, os itens e os metadados. Os valores continuam na contabilidade.',
    'What was known about the payer was erased, along with the description, the items and the metadata. The amounts stay on the books.',
    'Lo que se sabía del pagador fue borrado, con la descripción, los artículos y los metadatos. Los importes siguen en los libros.',
  ],
  net: ['Líquido', 'Net', 'Neto'],
  refundedSum: commonWords.refunded,
  refundPending: ['A caminho do pagador', 'On its way to the payer', 'En camino al pagador'],
  expires: commonWords.expires,
  approved: ['Autorizado', 'Authorized', 'Autorizado'],
  card: ['Cartão', 'Card', 'Tarjeta'],
  network: ['Rede', 'Network', 'Red'],
  endToEnd: ['ID do Pix', 'Pix ID', 'ID de Pix'],
  iban: ['IBAN', 'IBAN', 'IBAN'],
  reference: ['Referência', 'Reference', 'Referencia'],
  entity: ['Entidade', 'Entity', 'Entidad'],
  line: ['Linha digitável', 'Boleto number', 'Línea de dígitos'],
  due: ['Pagar até', 'Pay by', 'Pagar hasta'],
  confirmations: (count: string) =>
    counted(
      count,
      [`${count} confirmação`, `${count} confirmation`, `${count} confirmación`],
      [`${count} confirmações`, `${count} confirmations`, `${count} confirmaciones`],
    ),
  final: ['Definitivo', 'Final', 'Definitivo'],
  notFinal: ['Ainda pode mudar', 'May still change', 'Aún puede cambiar'],
  evidenceDue: ['Prazo da defesa', 'Evidence due', 'Plazo de las pruebas'],
  lastError: ['Última recusa do provedor', 'Provider’s last decline', 'Último rechazo del proveedor'],
  attempts: (count: number) =>
    counted(
      count,
      [`${count} tentativa`, `${count} attempt`, `${count} intento`],
      [`${count} tentativas`, `${count} attempts`, `${count} intentos`],
    ),
  noAnswer: ['Sem resposta', 'No response', 'Sin respuesta'],
  request: ['Enviado', 'Request', 'Enviado'],
  headers: ['Cabeçalhos', 'Headers', 'Encabezados'],
  headersNote: [
    'Cada tentativa leva o horário em que saiu e uma assinatura nova, feita com o segredo; por isso ela não fica guardada. webhook-id é o do evento, em todas.',
    'Each attempt has its own timestamp and a new signature, made with the secret, so the signature is not stored. webhook-id is the event’s in all of them.',
    'Cada intento lleva su hora y una firma nueva, hecha con el secreto; por eso la firma no se guarda. webhook-id es el del evento en todos.',
  ],
  answer: ['Resposta', 'Response', 'Respuesta'],
  noBody: ['A resposta veio sem corpo.', 'The response had no body.', 'La respuesta llegó sin cuerpo.'],
  nextAttempt: ['Próxima tentativa', 'Next attempt', 'Próximo intento'],
  resend: ['Reenviar', 'Resend', 'Reenviar'],
  resent: [
    'O webhook está na fila de envio.',
    'The webhook is queued.',
    'El webhook está en la cola de envío.',
  ],
  account: ['Saldo', 'Balance', 'Saldo'],
  change: ['Variação', 'Change', 'Variación'],
  what: ['Movimento', 'Movement', 'Movimiento'],
})
