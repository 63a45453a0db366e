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
  cancelAsk: 'El pago termina y este enlace deja de funcionar. No se cobra nada.',
  cancelYes: 'Sí, cancelar',
  refresh: 'Actualizar',
  opening: 'Un momento…',
  listening: 'Esperando el pago…',
  cutOff: 'Sin conexión. Reintentando…',

  expiresIn: 'Vence en',
  expiresAt: 'Válido {time}',
  fiveMinutesLeft: 'Quedan 5 minutos para pagar.',
  oneMinuteLeft: 'Queda 1 minuto para pagar.',

  pixCopy: 'Copiar código Pix',
  pixCode: 'Pix Copia e Cola',
  pixReceiver: 'Destinatario',
  pixSteps: 'Cómo pagar',
  pixStep1: 'Abra la app de su banco y elija Pix.',
  pixStep2: 'Escanee el código QR o pegue el código en Pix Copia e Cola.',
  pixStep3: 'Revise los datos y confirme el pago. Esta página se actualiza sola.',

  networkWarning: 'Envíe solo {token} y solo por la red {network}. Lo que envíe por otra red se perderá.',
  otherCode: 'Mi billetera no lee este código',
  otherCodeHint: 'Este código también lleva el monto y el token. Revise los tres antes de enviar.',
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
  print: 'Imprimir comprobante',
  languages: 'Idioma',
}
