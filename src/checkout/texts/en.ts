import type { Labels } from './labels.ts'

export const enLabels: Labels = {
  sandbox: 'Test, no real money',
  amountDue: 'Total to pay',
  amountPaid: 'Total paid',
  amount: 'Total',

  copy: 'Copy',
  copied: 'Copied',
  selected: 'Selected',

  chooseMethod: 'Payment method',
  otherMethod: 'Pay another way',
  continue: 'Continue',
  optional: 'optional',
  cancel: 'Cancel payment',
  refresh: 'Refresh',

  expiresIn: 'Expires in',
  expiresAt: 'Pay {time}',
  fiveMinutesLeft: '5 minutes left to pay.',
  oneMinuteLeft: '1 minute left to pay.',

  pixCopy: 'Copy Pix code',
  pixCode: 'Pix Copia e Cola',
  pixSteps: 'How to pay',
  pixStep1: 'Open your bank’s app and choose Pix.',
  pixStep2: 'Scan the QR code, or paste the code under Pix Copia e Cola.',
  pixStep3: 'Check the details and confirm. This page updates by itself.',

  networkWarning:
    'Send only {token}, and only on the {network} network. Anything sent on another network is lost.',
  qrAddress: 'Address only',
  qrWallet: 'With amount',
  exactAmount: 'Exact amount',
  address: 'Address',
  feesNote: 'Your exchange may charge a fee on top: this is the amount that has to arrive.',
  openWallet: 'Open in wallet',
  received: 'Received',
  transaction: 'Transaction',
  confirmations: 'Confirmed by the network, {done} of {needed}',
  confirmed: 'Confirmed by the network',

  cardFrame: 'Card details',
  cardSafe: 'Your card details go straight to the payment processor. The store never sees them.',
  cardLoading: 'Opening the secure card form…',
  cardContinue: 'Pay by card',
  cardElsewhere: 'Open the form on a separate page',

  appOpen: 'Open the app',
  appScan: 'Or scan the code with the app on another device',

  preparing: 'Preparing',

  returning: 'Returning to the store in {seconds} s.',
  stay: 'Stay on this page',
  receipt: 'Receipt',
  languages: 'Language',
}
