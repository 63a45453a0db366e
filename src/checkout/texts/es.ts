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
  cancel: 'Cancelar el pago',
  refresh: 'Actualizar',

  expiresIn: 'Vence en',
  expiresAt: 'hasta las {time}',
  fiveMinutesLeft: 'Quedan 5 minutos para pagar.',
  oneMinuteLeft: 'Queda 1 minuto para pagar.',

  pixCopy: 'Copiar código Pix',
  pixCode: 'Código Pix para copiar y pegar',
  pixSteps: 'Cómo pagar',
  pixStep1: 'Abra la aplicación de su banco y elija Pix.',
  pixStep2: 'Escanee el código QR, o pegue el código en Pix copia e cola.',
  pixStep3: 'Revise el importe y confirme. Esta página le avisa.',

  networkWarning: 'Envíe solo {token} y solo por la red {network}. Lo que vaya por otra red se pierde.',
  qrAddress: 'Solo la dirección',
  qrWallet: 'Con el importe',
  exactAmount: 'Importe exacto',
  address: 'Dirección',
  feesNote: 'La comisión de su plataforma va aparte: este es el importe que debe llegar.',
  openWallet: 'Abrir en la billetera',
  received: 'Recibido',
  transaction: 'Transacción',
  confirmations: 'Confirmado por la red, {done} de {needed}',
  confirmed: 'Confirmado por la red',

  cardFrame: 'Datos de la tarjeta',
  cardSafe: 'Los datos de la tarjeta van directo a la procesadora. La tienda no los ve.',
  cardLoading: 'Abriendo el formulario seguro de la tarjeta',
  cardContinue: 'Pagar con tarjeta',
  cardElsewhere: 'Abrir el formulario en otra página',

  appOpen: 'Abrir la aplicación',
  appScan: 'O escanéelo con la aplicación en otro dispositivo',

  preparing: 'Preparando',

  returning: 'Vuelve a la tienda en {seconds} s.',
  stay: 'Quedarse aquí',
  receipt: 'Comprobante',
  languages: 'Idioma',
}
