// The labels of buttons, captions and rows, for every method. The view replaces the names in braces. The labels of one method's panel are
// in methods/.
import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from '#/kernel/dictionary.ts'

export const labels = dictionary({
  sandbox: ['Teste, sem dinheiro real', 'Test, no real money', 'Prueba, sin dinero real'],
  /** Above the amount: while it is to be paid, when money is here, and when it is over. */
  amountDue: ['Total a pagar', 'Total to pay', 'Total a pagar'],
  amountPaid: ['Total pago', 'Total paid', 'Total pagado'],
  amount: ['Total', 'Total', 'Total'],
  copy: ['Copiar', 'Copy', 'Copiar'],
  copied: ['Copiado', 'Copied', 'Copiado'],
  /** The browser does not allow copying: the text is selected instead. */
  selected: ['Selecionado', 'Selected', 'Seleccionado'],
  chooseMethod: ['Forma de pagamento', 'Payment method', 'Forma de pago'],
  otherMethod: ['Pagar de outra forma', 'Pay another way', 'Pagar de otra forma'],
  continue: ['Continuar', 'Continue', 'Continuar'],
  optional: ['opcional', 'optional', 'opcional'],
  /** Where the template offers it: it asks before it cancels. */
  cancel: ['Cancelar pagamento', 'Cancel payment', 'Cancelar pago'],
  cancelAsk: [
    'O pagamento é encerrado e este link deixa de funcionar. Nada é cobrado.',
    'The payment ends, and this link stops working. Nothing is charged.',
    'El pago termina y este enlace deja de funcionar. No se cobra nada.',
  ],
  cancelYes: ['Sim, cancelar', 'Yes, cancel', 'Sí, cancelar'],
  refresh: ['Atualizar', 'Refresh', 'Actualizar'],
  /** On the button that was just pressed. */
  opening: ['Um momento…', 'One moment…', 'Un momento…'],
  /** While the page is connected, and while it is cut off. */
  listening: ['Aguardando pagamento…', 'Waiting for payment…', 'Esperando el pago…'],
  cutOff: ['Sem conexão. Tentando de novo…', 'No connection. Trying again…', 'Sin conexión. Reintentando…'],
  /** Before the countdown. */
  expiresIn: ['Expira em', 'Expires in', 'Vence en'],
  /** `{time}`: the language's `until` writes it, "until 3:40", "until the 23rd". */
  expiresAt: ['Válido {time}', 'Pay {time}', 'Válido {time}'],
  /** Read once to a payer who does not see the countdown. */
  fiveMinutesLeft: ['Restam 5 minutos para pagar.', '5 minutes left to pay.', 'Quedan 5 minutos para pagar.'],
  oneMinuteLeft: ['Resta 1 minuto para pagar.', '1 minute left to pay.', 'Queda 1 minuto para pagar.'],
  preparing: ['Preparando', 'Preparing', 'Preparando'],
  /** `{seconds}`. */
  returning: [
    'Você voltará à loja em {seconds} s.',
    'Returning to the store in {seconds} s.',
    'Volverá a la tienda en {seconds} s.',
  ],
  stay: ['Ficar nesta página', 'Stay on this page', 'Quedarme en esta página'],
  receipt: ['Comprovante', 'Receipt', 'Comprobante'],
  print: ['Imprimir comprovante', 'Print receipt', 'Imprimir comprobante'],
  languages: commonWords.language,
})

export type Labels = (typeof labels)['en']
