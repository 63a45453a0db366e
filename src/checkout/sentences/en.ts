// What the page says of a payment: what happened, what it means for the money, and what to do next. The type of this
// language is the type of all: a sentence that one of them lacks does not compile.

type Sent = { readonly received: string; readonly amount: string }

export const enSentences = {
  methods: {
    PIX: { label: 'Pix', hint: 'With your bank’s app, approved instantly.' },
    CREDIT_CARD: { label: 'Card', hint: 'Credit or debit card.' },
    CRYPTO: { label: 'USDT', hint: 'From your wallet or exchange, confirmed in a few minutes.' },
    PARTNER_PAY: { label: 'Wallet app', hint: 'Confirm in your wallet app.' },
  },
  /** A time of today, or a day and a time. */
  until: (time: string, _isToday: boolean) => `by ${time}`,
  choose: {
    headline: 'How would you like to pay?',
    message: 'Choose how to pay. You can change it before you pay.',
    one: 'Fill in the missing details and continue to payment.',
  },
  preparing: { headline: 'One moment', message: 'We’re getting your payment ready.' },
  waiting: {
    PIX: {
      headline: 'Pay with Pix',
      message: (until: string) => `Scan the QR code with your bank’s app, or copy the code. Pay ${until}.`,
    },
    CREDIT_CARD: {
      headline: 'Pay by card',
      message: 'Your bank may ask you to confirm. You won’t be charged before you do.',
      hosted: 'You’ll go to the payment processor’s secure page, then come back here.',
    },
    CRYPTO: {
      headline: (amount: string) => `Send ${amount}`,
      message: (amount: string, network: string, until: string) =>
        `Send exactly ${amount} on the ${network} network to this address ${until}.`,
    },
    PARTNER_PAY: {
      headline: 'Pay in your wallet app',
      message: (until: string) =>
        `Scan the QR code with the app or, on a phone, tap the button to open it. Pay ${until}.`,
    },
  },
  confirming: {
    headline: 'Confirming your payment',
    coins: ({ received }: Sent) =>
      `We see ${received} on the network. It will be confirmed automatically in a few minutes; you can close this page.`,
    other: 'Your payment is being processed. There’s nothing more to do; please don’t pay again.',
    late: ({ received }: Sent) =>
      `We see ${received} on the network, sent after the deadline. Once the network confirms it, it will be credited and we’ll tell the store.`,
  },
  authorised: {
    headline: 'Payment authorized',
    message: (merchant: string) =>
      `The amount is on hold on your card. ${merchant} will charge it when your order is confirmed.`,
  },
  underpaid: {
    headline: 'Payment incomplete',
    more: ({ received, amount }: Sent, missing: string, until: string) =>
      `We received ${received} of ${amount}. Send ${missing} more to this address ${until}.`,
    ask: ({ received, amount }: Sent, merchant: string) =>
      `We received ${received} of ${amount}. Contact ${merchant} to pay the rest.`,
  },
  paid: {
    headline: 'Payment confirmed',
    message: (merchant: string) => `${merchant} has received your payment. Thank you!`,
  },
  overpaid: {
    headline: 'Overpaid',
    message: ({ received, amount }: Sent, excess: string, merchant: string) =>
      `We received ${received} for a payment of ${amount}. We’ve told ${merchant}. Contact them to get ${excess} back.`,
  },
  late: {
    headline: 'Paid late',
    message: (merchant: string) =>
      `Your payment arrived in full, but after the deadline. We’ve told ${merchant}. Contact them about your order.`,
  },
  expired: {
    headline: 'The time to pay has run out',
    message: (merchant: string) =>
      `We received no payment and nothing was charged. Go back to ${merchant} and start again. Already paid? Don’t pay twice: contact ${merchant}.`,
    withMoney: ({ received, amount }: Sent, merchant: string) =>
      `We received ${received} of ${amount}, but the time has run out. Your money is safe. Contact ${merchant} to get it back or to pay the rest.`,
  },
  failed: {
    headline: 'The payment couldn’t be completed',
    message: (merchant: string) =>
      `Nothing was charged. Go back to ${merchant} and start again, or pay another way.`,
  },
  canceled: {
    headline: 'Payment canceled',
    message: (merchant: string) =>
      `Nothing was charged. If you still want to pay, go back to ${merchant} and start again.`,
  },
  endedWithMoney: ({ received, amount }: Sent, merchant: string) =>
    `We received ${received} of ${amount}. Your money is safe. Contact ${merchant} to get it back.`,
  /** A try that failed, by the provider's code; `other` for the rest. */
  declines: {
    insufficient_funds: 'Your card has insufficient funds. Try another card.',
    expired_card: 'Your card has expired. Try another card.',
    incorrect_cvc: 'The security code is incorrect. Check it and try again.',
    incorrect_number: 'The card number is incorrect. Check it and try again.',
    card_not_supported: 'This type of card isn’t accepted. Try another card.',
    limit_exceeded: 'The amount is over your card’s limit. Try another card.',
    authentication_failed: 'Your bank couldn’t verify your identity. Try again, or use another card.',
    processing_error: 'We couldn’t reach the bank. Try again in a moment.',
    card_declined: 'Your bank declined the card. Try another card, or contact your bank.',
    order_canceled: 'The payment was canceled in the app. Nothing was charged. Try again.',
    order_failed: 'The app couldn’t complete the payment. Nothing was charged. Try again.',
    amount_too_small:
      'The amount is too small for this payment method. Choose another, or contact the store.',
    amount_too_large:
      'The amount is too large for this payment method. Choose another, or contact the store.',
    payer_refused: 'The payment processor didn’t accept your details. Check them and try again.',
    refused_by_provider:
      'The payment processor didn’t accept this payment. Choose another method, or contact the store.',
    other: 'The payment was declined. Try again; if that doesn’t work, contact the store.',
  },
  problems: {
    provider_away: 'The payment processor isn’t responding. Nothing was charged. Try again in a moment.',
    refused: 'This payment method isn’t available right now. Choose another.',
  },
  receipt: {
    amount: 'Amount',
    received: 'Amount received',
    method: 'Payment method',
    paidAt: 'Paid on',
    to: 'Paid to',
    number: 'Payment number',
    transaction: 'Transaction',
  },
  fields: {
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    taxId: 'CPF or CNPJ',
    country: 'Country',
    postcode: 'ZIP or postal code',
    line1: 'Address',
    line2: 'Apartment, floor, or other details',
    district: 'District',
    city: 'City',
    region: 'State or region',
  },
  faults: {
    required: (label: string) => `${label} is required.`,
    email: 'Enter a valid email, such as ana@example.com.',
    phone: 'Enter a valid phone number with its country code, such as +55 11 91234-5678.',
    taxId: 'Invalid CPF or CNPJ. Check the digits.',
    tooLong: 'This is too long. Shorten it.',
    card: 'Don’t enter your card number here. Use the card form.',
    country: 'Choose a country from the list.',
  },
  qr: {
    PIX: 'QR code of the Pix payment',
    address: 'QR code of the address',
    wallet: 'QR code with address and amount, for wallets',
    PARTNER_PAY: 'QR code for the wallet app',
  },
  links: {
    back: (merchant: string) => `Back to ${merchant}`,
    support: (merchant: string) => `Contact ${merchant}`,
    terms: 'Terms',
    privacy: 'Privacy',
  },
  /** Pages that show no payment. */
  pages: {
    not_found: {
      title: 'Payment not found',
      message: 'The link may be incomplete. Open it again from the store or the message you received.',
    },
    too_many: { title: 'Too many attempts', message: 'Wait a few seconds, then reload the page.' },
    refused: { title: 'We couldn’t continue', message: 'Open the payment again from its link.' },
    broken: {
      title: 'Something went wrong',
      message: 'Your payment is safe. Reload the page in a moment.',
    },
    leaving: {
      title: 'Taking you to the payment page',
      message: 'You’ll go to the payment processor’s secure page. If nothing happens, use the button.',
      button: 'Continue',
    },
    back_to_payment: 'Back to the payment',
  },
  frame: {
    title: 'Card details',
    broken: 'The card form didn’t load. Check your connection and reload the page.',
  },
}

export type Sentences = typeof enSentences
