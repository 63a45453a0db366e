// What the page says of a payment: what happened, what it means for the money, and what to do next. The type of this
// language is the type of all: a sentence that one of them lacks does not compile.

type Sent = { readonly received: string; readonly amount: string }

export const enSentences = {
  methods: {
    PIX: { label: 'Pix', hint: 'With your bank’s app, paid in seconds.' },
    CREDIT_CARD: { label: 'Card', hint: 'Credit or debit card.' },
    CRYPTO: { label: 'USDT', hint: 'From your wallet or exchange, in a few minutes.' },
    PARTNER_PAY: { label: 'Wallet app', hint: 'Confirm in your wallet app.' },
  },
  /** A time of today, or a day and a time. */
  until: (time: string, _isToday: boolean) => `until ${time}`,
  choose: {
    headline: 'How would you like to pay?',
    message: 'Choose a way to pay. You can change it until you have paid.',
    one: 'Fill in what is missing, and go on to pay.',
  },
  preparing: { headline: 'One moment', message: 'We are getting your payment ready.' },
  waiting: {
    PIX: {
      headline: 'Pay with Pix',
      message: (until: string) => `Scan the code with your bank’s app, or copy it. It works ${until}.`,
    },
    CREDIT_CARD: {
      headline: 'Pay by card',
      message: 'Your bank may ask you to confirm. Nothing is charged before you do.',
      hosted: 'You go on to the secure page of the card processor, and come back here.',
    },
    CRYPTO: {
      headline: (amount: string) => `Send ${amount}`,
      message: (amount: string, network: string, until: string) =>
        `Send exactly ${amount} on the ${network} network to this address ${until}.`,
    },
    PARTNER_PAY: {
      headline: 'Pay in your wallet app',
      message: (until: string) => `Scan the code with the app or, on a phone, open it from here, ${until}.`,
    },
  },
  confirming: {
    headline: 'Your payment is on its way',
    coins: ({ received }: Sent) =>
      `We see ${received} on the network. It becomes final by itself in a few minutes; you can close this page.`,
    other: 'Your payment is being processed. You need not do anything, and must not pay again.',
    late: ({ received }: Sent) =>
      `We see ${received} on the network, sent after the time was over. When it is final, it is credited and the shop is told.`,
  },
  authorised: {
    headline: 'Payment authorised',
    message: (merchant: string) =>
      `The amount is reserved on your card. ${merchant} charges it with your order.`,
  },
  underpaid: {
    headline: 'A part is missing',
    more: ({ received, amount }: Sent, missing: string, until: string) =>
      `We received ${received} of ${amount}. Send ${missing} more to this address ${until}.`,
    ask: ({ received, amount }: Sent, merchant: string) =>
      `We received ${received} of ${amount}. Ask ${merchant} how to pay the rest.`,
  },
  paid: {
    headline: 'Paid',
    message: (merchant: string) => `${merchant} has your payment. Thank you.`,
  },
  overpaid: {
    headline: 'Paid, and more than needed',
    message: ({ received, amount }: Sent, excess: string, merchant: string) =>
      `We received ${received} for ${amount}. ${merchant} has been told: ask there for ${excess} back.`,
  },
  late: {
    headline: 'Paid after the time was over',
    message: (merchant: string) =>
      `Your money has arrived in full and ${merchant} has been told. Ask there what becomes of your order.`,
  },
  expired: {
    headline: 'The time to pay is over',
    message: (merchant: string) =>
      `No payment arrived, so nothing was charged. Please start again at ${merchant}. Did you pay already? Then do not pay twice: ask ${merchant}.`,
    withMoney: ({ received, amount }: Sent, merchant: string) =>
      `We received ${received} of ${amount}, and the time is over. The money is safe: ask ${merchant} to send it back, or how to pay the rest.`,
  },
  failed: {
    headline: 'The payment did not work',
    message: (merchant: string) =>
      `Nothing was charged. Please start again at ${merchant}, or pay another way.`,
  },
  canceled: {
    headline: 'The payment was canceled',
    message: (merchant: string) => `Nothing was charged. You can start again at ${merchant}.`,
  },
  endedWithMoney: ({ received, amount }: Sent, merchant: string) =>
    `We received ${received} of ${amount}. The money is safe: ask ${merchant} to send it back.`,
  /** A try that failed, by the provider's code; `other` for the rest. */
  declines: {
    insufficient_funds: 'The card does not have enough for this amount. Try another card.',
    expired_card: 'The card has expired. Try another card.',
    incorrect_cvc: 'The security code is not right. Check it and try again.',
    incorrect_number: 'The card number is not right. Check it and try again.',
    card_not_supported: 'This kind of card is not taken here. Try another card.',
    limit_exceeded: 'The amount is over the limit of the card. Try another card.',
    authentication_failed: 'Your bank did not confirm that it is you. Try again, or use another card.',
    processing_error: 'The bank could not be reached. Try again in a moment.',
    card_declined: 'The bank declined the card. Try another card, or ask your bank.',
    order_canceled: 'The payment was canceled in the app. Nothing was charged. Try again.',
    order_failed: 'The app could not complete the payment. Nothing was charged. Try again.',
    other: 'The payment was declined. Try again; if that fails, ask the shop.',
  },
  problems: {
    provider_away: 'The payment provider does not answer right now. Nothing was charged. Please try again.',
    refused: 'This way of paying is not available right now. Please choose another.',
  },
  receipt: {
    amount: 'Amount',
    received: 'Received',
    method: 'Paid with',
    paidAt: 'Paid on',
    to: 'Paid to',
    number: 'Payment number',
    transaction: 'Transaction',
  },
  fields: {
    name: 'Name',
    email: 'E-mail',
    phone: 'Phone',
    taxId: 'CPF or CNPJ',
    country: 'Country',
    postcode: 'Postcode',
    line1: 'Address',
    line2: 'Flat, floor or other details',
    district: 'District',
    city: 'City',
    region: 'State or region',
  },
  faults: {
    required: (label: string) => `${label} is needed.`,
    email: 'This is no e-mail address. It looks like ana@example.com.',
    phone: 'This is no phone number. Write it with its country code, such as +55 11 91234-5678.',
    taxId: 'These are not the digits of a CPF or CNPJ. Check them.',
    tooLong: 'This is too long.',
    card: 'Do not write card numbers here. They belong into the card form.',
    country: 'Choose a country of the list.',
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
      title: 'There is no payment here',
      message:
        'The link may have been cut short. Open it again from the shop or the message that it came in.',
    },
    too_many: { title: 'A little too fast', message: 'Please wait a few seconds, then load the page again.' },
    refused: { title: 'That did not work', message: 'Please open the payment again from its link.' },
    broken: {
      title: 'Something went wrong here',
      message: 'Your payment is safe. Please load the page again in a moment.',
    },
    leaving: {
      title: 'On to the payment provider',
      message: 'You go on to the provider’s secure page. If nothing happens, use the button.',
      button: 'Go on',
    },
    back_to_payment: 'Back to the payment',
  },
  frame: {
    title: 'Card details',
    broken: 'The card form does not load. Check your connection and load the page again.',
  },
}

export type Sentences = typeof enSentences
