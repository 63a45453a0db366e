import type { Labels } from './labels.ts'

export const esLabels: Labels = {
  sandbox: 'Prueba, sin dinero real',
  amountDue: 'Total a pagar',
  amountPaid: 'Total pagado',
  amount: 'Total',

  copy: 'Copiar',
  copied: 'Copiado',
  selected: 'Seleccionado',

  chooseMethod: 'Forma de pago',
  otherMethod: 'Pagar de otra forma',
  continue: 'Continuar',
  optional: 'opcional',
  cancel: 'Cancelar pago',
  refresh: 'Actualizar',

  expiresIn: 'Vence en',
  expiresAt: 'Válido {time}',
  fiveMinutesLeft: 'Quedan 5 minutos para pagar.',
  oneMinuteLeft: 'Queda 1 minuto para pagar.',

  pixCopy: 'Copiar código Pix',
  pixCode: 'Pix Copia e Cola',
  pixSteps: 'Cómo pagar',
  pixStep1: 'Abra la app de su banco y elija Pix.',
  pixStep2: 'Escanee el código QR o pegue el código en Pix Copia e Cola.',
  pixStep3: 'Revise los datos y confirme el pago. Esta página se actualiza sola.',

  networkWarning: 'Envíe solo {token} y solo por la red {network}. Lo que envíe por otra red se perderá.',
  qrAddress: 'Solo la dirección',
  qrWallet: 'Con el monto',
  exactAmount: 'Monto exacto',
  address: 'Dirección',
  feesNote: 'La comisión de retiro de su exchange se cobra aparte: este es el monto que debe llegar.',
  openWallet: 'Abrir en la billetera',
  received: 'Recibido',
  transaction: 'Transacción',
  confirmations: 'Confirmado por la red, {done} de {needed}',
  confirmed: 'Confirmado por la red',

  cardFrame: 'Datos de la tarjeta',
  cardSafe: 'Los datos de la tarjeta van directo al procesador de pagos. La tienda no tiene acceso a ellos.',
  cardLoading: 'Abriendo el formulario seguro de la tarjeta…',
  cardContinue: 'Pagar con tarjeta',
  cardElsewhere: 'Abrir el formulario en otra página',

  appOpen: 'Abrir la app',
  appScan: 'O escanee el código con la app en otro dispositivo',

  preparing: 'Preparando',

  returning: 'Volverá a la tienda en {seconds} s.',
  stay: 'Quedarme en esta página',
  receipt: 'Comprobante',
  languages: 'Idioma',
}
