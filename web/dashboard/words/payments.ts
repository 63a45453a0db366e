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
    'Número, nome, e-mail, CPF/CNPJ, valor, cartão, hash, Pix ou metadado',
    'Id, name, e-mail, tax id, amount, card, hash, Pix or metadata',
    'Número, nombre, correo, documento, importe, tarjeta, hash, Pix o metadato',
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
    'No payments with these filters',
    'Ningún pago con estos filtros',
  ],
  noneFoundLead: [
    'Tire um filtro ou busque de outro jeito: o número do pagamento, o e-mail ou CPF do cliente, o valor exato.',
    'Remove a filter, or search in another way: the payment id, the customer’s e-mail or tax id, the exact amount.',
    'Quite un filtro o busque de otro modo: el número del pago, el correo o documento del cliente, el importe exacto.',
  ],
  notSearchable: [
    'Nada combina com isto: nem número, nome, e-mail, CPF/CNPJ, valor, cartão, hash, referência, nem valor de metadados. Metadados só se encontram por chaves declaradas com PUT /v1/metadata-keys.',
    'Nothing fits this: no id, name, e-mail, tax id, amount, card, hash, reference or value of metadata. Metadata is found only by keys that were declared with PUT /v1/metadata-keys.',
    'Nada coincide con esto: ni número, nombre, correo, documento, importe, tarjeta, hash, referencia ni valor de metadatos. Los metadatos solo se encuentran por claves declaradas con PUT /v1/metadata-keys.',
  ],
  notAmount: ['Isto não é um valor.', 'This is no amount.', 'Esto no es un importe.'],
  paymentOf: (amount: string) => [`Pagamento de ${amount}`, `Payment of ${amount}`, `Pago de ${amount}`],
  id: ['número do pagamento', 'payment id', 'número del pago'],
  copyLink: ['Copiar link do pagador', 'Copy payer’s link', 'Copiar enlace del pagador'],
  openLink: ['Abrir página do pagador', 'Open the payer’s page', 'Abrir la página del pagador'],
  refund: ['Devolver', 'Refund', 'Devolver'],
  capture: ['Capturar', 'Capture', 'Capturar'],
  simulate: ['Pagar de teste', 'Pay as a test', 'Pagar de prueba'],
  timeline: ['O que aconteceu', 'What happened', 'Qué ocurrió'],
  deposits: ['Transferências na rede', 'Transfers on the network', 'Transferencias en la red'],
  deliveries: ['Webhooks', 'Webhooks', 'Webhooks'],
  ledger: ['Lançamentos', 'Ledger', 'Asientos'],
  items: ['Itens', 'Items', 'Artículos'],
  all: ['Tudo', 'All', 'Todo'],
  moreSteps: ['Mostrar passos seguintes', 'Show the next steps', 'Mostrar los pasos siguientes'],
  truncated: [
    'São mais de 100 devoluções ou disputas: a linha do tempo segue as 100 mais antigas.',
    'There are more than 100 refunds or disputes: the time line follows the oldest 100.',
    'Hay más de 100 devoluciones o disputas: la línea de tiempo sigue las 100 más antiguas.',
  ],
  noDeliveries: [
    'Nenhum webhook foi enviado para este pagamento.',
    'No webhook was sent for this payment.',
    'No se envió ningún webhook por este pago.',
  ],
  noLedger: ['Nenhum dinheiro se moveu ainda.', 'No money has moved yet.', 'Aún no se movió dinero.'],
  customerTexts: {
    customerName: commonWords.name,
    customerEmail: commonWords.emailShort,
    customerTaxId: ['CPF/CNPJ', 'Tax id', 'Documento'],
    customerPhone: commonWords.phone,
  } satisfies Readonly<Record<CustomerText, Texts>>,
  erased: ['Apagado', 'Erased', 'Borrado'],
  erasedNote: [
    'O que se sabia do pagador foi apagado, com a descrição, os itens e os metadados. Os valores ficam nos livros.',
    'What was known of the payer was erased, with the description, the items and the metadata. The amounts stay in the books.',
    'Lo que se sabía del pagador fue borrado, con la descripción, los artículos y los metadatos. Los importes siguen en los libros.',
  ],
  net: ['Líquido', 'Net', 'Neto'],
  refundedSum: commonWords.refunded,
  refundPending: ['A caminho do pagador', 'On its way to the payer', 'En camino al pagador'],
  expires: ['Vence', 'Expires', 'Vence'],
  approved: ['Autorizado', 'Authorised', 'Autorizado'],
  card: ['Cartão', 'Card', 'Tarjeta'],
  network: ['Rede', 'Network', 'Red'],
  endToEnd: ['Id do Pix', 'Pix id', 'Id de Pix'],
  iban: ['IBAN', 'IBAN', 'IBAN'],
  reference: ['Referência', 'Reference', 'Referencia'],
  entity: ['Entidade', 'Entity', 'Entidad'],
  line: ['Linha digitável', 'Line of digits', 'Línea de dígitos'],
  due: ['Pagar até', 'Pay by', 'Pagar hasta'],
  confirmations: (count: string) => [
    `${count} confirmações`,
    `${count} confirmations`,
    `${count} confirmaciones`,
  ],
  final: ['Definitivo', 'Final', 'Definitivo'],
  notFinal: ['Ainda pode mudar', 'Can still change', 'Aún puede cambiar'],
  evidenceDue: ['Prazo de defesa', 'Evidence due', 'Plazo de defensa'],
  lastError: ['Última recusa do provedor', 'Last refusal of the provider', 'Último rechazo del proveedor'],
  attempts: (count: number) =>
    counted(
      count,
      [`${count} tentativa`, `${count} attempt`, `${count} intento`],
      [`${count} tentativas`, `${count} attempts`, `${count} intentos`],
    ),
  noAnswer: ['Sem resposta', 'No answer', 'Sin respuesta'],
  request: ['Enviado', 'Request', 'Enviado'],
  headers: ['Cabeçalhos', 'Headers', 'Encabezados'],
  headersNote: [
    'Cada tentativa leva o instante em que saiu e uma assinatura nova, feita com o segredo; por isso ela não fica guardada. webhook-id é o do evento, em todas.',
    'Each attempt has its own instant and a new signature, made with the secret, so the signature is not kept. webhook-id is the event’s in all of them.',
    'Cada intento lleva su instante y una firma nueva, hecha con el secreto; por eso la firma no se guarda. webhook-id es el del evento en todos.',
  ],
  answer: ['Resposta', 'Answer', 'Respuesta'],
  noBody: ['A resposta veio sem corpo.', 'The answer had no body.', 'La respuesta llegó sin cuerpo.'],
  nextAttempt: ['Próxima tentativa', 'Next attempt', 'Próximo intento'],
  resend: ['Enviar de novo', 'Send again', 'Enviar de nuevo'],
  resent: [
    'O webhook está na fila de envio.',
    'The webhook waits to be sent.',
    'El webhook espera su envío.',
  ],
  account: ['Saldo', 'Balance', 'Saldo'],
  change: ['Mudança', 'Change', 'Cambio'],
  what: ['O quê', 'What', 'Qué'],
})
