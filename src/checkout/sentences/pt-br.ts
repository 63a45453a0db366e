import type { Sentences } from './en.ts'

export const ptBrSentences: Sentences = {
  methods: {
    PIX: { label: 'Pix', hint: 'No app do seu banco, pago em segundos.' },
    CREDIT_CARD: { label: 'Cartão', hint: 'Cartão de crédito ou débito.' },
    CRYPTO: { label: 'USDT', hint: 'Da sua carteira ou corretora, em poucos minutos.' },
    PARTNER_PAY: { label: 'App de carteira', hint: 'Confirme no app da sua carteira.' },
  },
  until: (time) => `até ${time}`,
  choose: {
    headline: 'Como você quer pagar?',
    message: 'Escolha uma forma de pagamento. Você pode trocar até pagar.',
    one: 'Preencha o que falta e siga para o pagamento.',
  },
  preparing: { headline: 'Um momento', message: 'Estamos preparando o seu pagamento.' },
  waiting: {
    PIX: {
      headline: 'Pague com Pix',
      message: (until) => `Leia o código com o app do seu banco ou copie o código. Vale ${until}.`,
    },
    CREDIT_CARD: {
      headline: 'Pague com cartão',
      message: 'Seu banco pode pedir uma confirmação. Nada é cobrado antes dela.',
      hosted: 'Você segue para a página segura da operadora do cartão e depois volta para cá.',
    },
    CRYPTO: {
      headline: (amount) => `Envie ${amount}`,
      message: (amount, network, until) =>
        `Envie exatamente ${amount} pela rede ${network} para este endereço ${until}.`,
    },
    PARTNER_PAY: {
      headline: 'Pague no app da sua carteira',
      message: (until) => `Leia o código com o app ou, no celular, abra o app daqui, ${until}.`,
    },
  },
  confirming: {
    headline: 'Seu pagamento está a caminho',
    coins: ({ received }) =>
      `Vimos ${received} na rede. A confirmação vem sozinha em poucos minutos; você pode fechar esta página.`,
    other: 'Seu pagamento está sendo processado. Você não precisa fazer nada nem pagar de novo.',
    late: ({ received }) =>
      `Vimos ${received} na rede, enviados depois do prazo. Quando a rede confirmar, o valor é creditado e a loja é avisada.`,
  },
  authorised: {
    headline: 'Pagamento autorizado',
    message: (merchant) =>
      `O valor está reservado no seu cartão. ${merchant} faz a cobrança junto com o pedido.`,
  },
  underpaid: {
    headline: 'Falta uma parte',
    more: ({ received, amount }, missing, until) =>
      `Recebemos ${received} de ${amount}. Envie mais ${missing} para este endereço ${until}.`,
    ask: ({ received, amount }, merchant) =>
      `Recebemos ${received} de ${amount}. Pergunte a ${merchant} como pagar o restante.`,
  },
  paid: {
    headline: 'Pago',
    message: (merchant) => `${merchant} recebeu o seu pagamento. Obrigado.`,
  },
  overpaid: {
    headline: 'Pago, e a mais',
    message: ({ received, amount }, excess, merchant) =>
      `Recebemos ${received} por ${amount}. ${merchant} já sabe: peça lá ${excess} de volta.`,
  },
  late: {
    headline: 'Pago depois do prazo',
    message: (merchant) =>
      `Seu dinheiro chegou por inteiro e ${merchant} já sabe. Pergunte lá o que acontece com o seu pedido.`,
  },
  expired: {
    headline: 'O prazo para pagar acabou',
    message: (merchant) =>
      `Nenhum pagamento chegou, então nada foi cobrado. Comece de novo em ${merchant}. Já pagou? Então não pague duas vezes: fale com ${merchant}.`,
    withMoney: ({ received, amount }, merchant) =>
      `Recebemos ${received} de ${amount}, e o prazo acabou. O dinheiro está seguro: peça a ${merchant} a devolução, ou como pagar o restante.`,
  },
  failed: {
    headline: 'O pagamento não deu certo',
    message: (merchant) => `Nada foi cobrado. Comece de novo em ${merchant} ou pague de outra forma.`,
  },
  canceled: {
    headline: 'O pagamento foi cancelado',
    message: (merchant) => `Nada foi cobrado. Você pode começar de novo em ${merchant}.`,
  },
  endedWithMoney: ({ received, amount }, merchant) =>
    `Recebemos ${received} de ${amount}. O dinheiro está seguro: peça a ${merchant} a devolução.`,
  declines: {
    insufficient_funds: 'O cartão não tem saldo ou limite para este valor. Tente outro cartão.',
    expired_card: 'O cartão está vencido. Tente outro cartão.',
    incorrect_cvc: 'O código de segurança não confere. Verifique e tente de novo.',
    incorrect_number: 'O número do cartão não confere. Verifique e tente de novo.',
    card_not_supported: 'Este tipo de cartão não é aceito aqui. Tente outro cartão.',
    limit_exceeded: 'O valor passa do limite do cartão. Tente outro cartão.',
    authentication_failed: 'Seu banco não confirmou que é você. Tente de novo ou use outro cartão.',
    processing_error: 'Não conseguimos falar com o banco. Tente de novo em instantes.',
    card_declined: 'O banco recusou o cartão. Tente outro cartão ou fale com o seu banco.',
    order_canceled: 'O pagamento foi cancelado no aplicativo. Nada foi cobrado. Tente de novo.',
    order_failed: 'O aplicativo não conseguiu concluir o pagamento. Nada foi cobrado. Tente de novo.',
    other: 'O pagamento foi recusado. Tente de novo; se não der certo, fale com a loja.',
  },
  problems: {
    provider_away: 'O provedor do pagamento não responde agora. Nada foi cobrado. Tente de novo, por favor.',
    refused: 'Esta forma de pagamento não está disponível agora. Escolha outra, por favor.',
  },
  receipt: {
    amount: 'Valor',
    received: 'Recebido',
    method: 'Pago com',
    paidAt: 'Pago em',
    to: 'Pago a',
    number: 'Número do pagamento',
    transaction: 'Transação',
  },
  fields: {
    name: 'Nome',
    email: 'E-mail',
    phone: 'Telefone',
    taxId: 'CPF ou CNPJ',
    country: 'País',
    postcode: 'CEP ou código postal',
    line1: 'Endereço',
    line2: 'Complemento',
    district: 'Bairro',
    city: 'Cidade',
    region: 'Estado ou região',
  },
  faults: {
    required: (label) => `Preencha: ${label}.`,
    email: 'Este não é um endereço de e-mail. Ele é assim: ana@exemplo.com.br.',
    phone: 'Este não é um telefone. Escreva com o código do país, como +55 11 91234-5678.',
    taxId: 'Estes não são os dígitos de um CPF ou CNPJ. Confira.',
    tooLong: 'Isto é longo demais.',
    card: 'Não escreva números de cartão aqui. O lugar deles é o formulário do cartão.',
    country: 'Escolha um país da lista.',
  },
  qr: {
    PIX: 'QR Code do pagamento Pix',
    address: 'QR Code do endereço',
    wallet: 'QR Code com endereço e valor, para carteiras',
    PARTNER_PAY: 'QR Code para o app da carteira',
  },
  links: {
    back: (merchant) => `Voltar para ${merchant}`,
    support: (merchant) => `Falar com ${merchant}`,
    terms: 'Termos',
    privacy: 'Privacidade',
  },
  pages: {
    not_found: {
      title: 'Não há pagamento aqui',
      message: 'O link pode ter sido cortado. Abra de novo pela loja ou pela mensagem em que ele veio.',
    },
    too_many: {
      title: 'Um pouco rápido demais',
      message: 'Espere alguns segundos e carregue a página de novo.',
    },
    refused: { title: 'Não deu certo', message: 'Abra o pagamento de novo pelo link dele.' },
    broken: {
      title: 'Algo deu errado aqui',
      message: 'Seu pagamento está seguro. Carregue a página de novo em instantes.',
    },
    leaving: {
      title: 'Você segue para o provedor',
      message: 'Você segue para a página segura do provedor. Se nada acontecer, use o botão.',
      button: 'Seguir',
    },
    back_to_payment: 'Voltar ao pagamento',
  },
  frame: {
    title: 'Dados do cartão',
    broken: 'O formulário do cartão não carregou. Verifique a conexão e carregue a página de novo.',
  },
}
