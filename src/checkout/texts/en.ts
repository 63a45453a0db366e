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
  expiresAt: 'until {time}',
  fiveMinutesLeft: '5 minutes left to pay.',
  oneMinuteLeft: '1 minute left to pay.',

  pixCopy: 'Copy Pix code',
  pixCode: 'Pix code to copy and paste',
  pixSteps: 'How to pay',
  pixStep1: 'Open your bank’s app and choose Pix.',
  pixStep2: 'Scan the QR code, or paste the code under Pix copia e cola.',
  pixStep3: 'Check the amount and confirm. This page will tell you.',

  networkWarning:
    'Send only {token}, and only on the {network} network. What goes by another network is lost.',
  qrAddress: 'Address only',
  qrWallet: 'With amount',
  exactAmount: 'Exact amount',
  address: 'Address',
  feesNote: 'Your exchange’s fee comes on top: this is the amount that has to arrive.',
  openWallet: 'Open in wallet',
  received: 'Received',
  transaction: 'Transaction',
  confirmations: 'Confirmed by the network, {done} of {needed}',
  confirmed: 'Confirmed by the network',

  cardFrame: 'Card details',
  cardSafe: 'Your card details go straight to the card processor. The shop does not see them.',
  cardLoading: 'Opening the secure card form',
  cardContinue: 'Pay by card',
  cardElsewhere: 'Open the form on a page of its own',

  appOpen: 'Open the app',
  appScan: 'Or scan it with the app on another device',

  preparing: 'Preparing',

  returning: 'You go back to the shop in {seconds} s.',
  stay: 'Stay here',
  receipt: 'Receipt',
  languages: 'Language',
}
