import type { Sentences } from './en.ts'

export const ptBrSentences: Sentences = {
  methods: {
    PIX: { label: 'Pix', hint: 'Pelo app do seu banco, com aprovação na hora.' },
    CREDIT_CARD: { label: 'Cartão', hint: 'Cartão de crédito ou débito.' },
    CRYPTO: { label: 'USDT', hint: 'Da sua carteira ou corretora, confirmado em poucos minutos.' },
    PARTNER_PAY: { label: 'Carteira digital', hint: 'Confirme no app da carteira.' },
  },
  until: (time) => `até ${time}`,
  choose: {
    headline: 'Como você quer pagar?',
    message: 'Escolha a forma de pagamento. Você pode trocar antes de pagar.',
    one: 'Preencha os dados que faltam e siga para o pagamento.',
  },
  preparing: { headline: 'Só um momento', message: 'Estamos preparando seu pagamento.' },
  waiting: {
    PIX: {
      headline: 'Pague com Pix',
      message: (until) => `Escaneie o QR Code com o app do seu banco ou copie o código. Válido ${until}.`,
    },
    CREDIT_CARD: {
      headline: 'Pague com cartão',
      message: 'Seu banco pode pedir uma confirmação. Nada é cobrado antes disso.',
      hosted: 'Você vai para a página segura da processadora do pagamento e depois volta para cá.',
    },
    CRYPTO: {
      headline: (amount) => `Envie ${amount}`,
      message: (amount, network, until) =>
        `Envie exatamente ${amount} pela rede ${network} para este endereço ${until}.`,
    },
    PARTNER_PAY: {
      headline: 'Pague no app da carteira',
      message: (until) =>
        `Escaneie o QR Code com o app ou, no celular, toque no botão para abrir o app. Válido ${until}.`,
    },
  },
  confirming: {
    headline: 'Estamos confirmando o pagamento',
    coins: ({ received }) =>
      `Identificamos ${received} na rede. A confirmação é automática e leva poucos minutos; você pode fechar esta página.`,
    other: 'Seu pagamento está sendo processado. Não é preciso fazer mais nada, nem pagar de novo.',
    late: ({ received }) =>
      `Identificamos ${received} na rede, enviados depois do prazo. Quando a rede confirmar, o valor será creditado e a loja, avisada.`,
  },
  authorised: {
    headline: 'Pagamento autorizado',
    message: (merchant) =>
      `O valor está reservado no seu cartão. ${merchant} fará a cobrança ao confirmar o pedido.`,
  },
  underpaid: {
    headline: 'Pagamento incompleto',
    more: ({ received, amount }, missing, until) =>
      `Recebemos ${received} de ${amount}. Envie mais ${missing} para este endereço ${until}.`,
    ask: ({ received, amount }) =>
      `Recebemos ${received} de ${amount}. Fale com a loja para pagar o restante.`,
  },
  paid: {
    headline: 'Pagamento confirmado',
    message: (merchant) => `${merchant} recebeu seu pagamento. Obrigado!`,
  },
  overpaid: {
    headline: 'Pago com valor a mais',
    message: ({ received, amount }, excess) =>
      `Recebemos ${received} por uma cobrança de ${amount}. A loja já foi avisada. Fale com a loja para receber ${excess} de volta.`,
  },
  late: {
    headline: 'Pago fora do prazo',
    message: () =>
      'Seu pagamento chegou completo, mas depois do prazo. A loja já foi avisada. Fale com a loja sobre o seu pedido.',
  },
  expired: {
    headline: 'O prazo para pagar terminou',
    message: () =>
      'Não recebemos nenhum pagamento e nada foi cobrado. Volte à loja e comece de novo. Já pagou? Não pague outra vez: fale com a loja.',
    withMoney: ({ received, amount }) =>
      `Recebemos ${received} de ${amount}, mas o prazo terminou. Seu dinheiro está seguro. Fale com a loja para receber o valor de volta ou pagar o restante.`,
  },
  failed: {
    headline: 'Não foi possível concluir o pagamento',
    message: () => 'Nada foi cobrado. Volte à loja e comece de novo, ou pague de outra forma.',
  },
  canceled: {
    headline: 'Pagamento cancelado',
    message: () => 'Nada foi cobrado. Se quiser pagar, volte à loja e comece de novo.',
  },
  endedWithMoney: ({ received, amount }) =>
    `Recebemos ${received} de ${amount}. Seu dinheiro está seguro. Fale com a loja para receber o valor de volta.`,
  declines: {
    insufficient_funds: 'Cartão sem saldo ou limite para este valor. Tente outro cartão.',
    expired_card: 'O cartão está vencido. Tente outro cartão.',
    incorrect_cvc: 'Código de segurança incorreto. Confira e tente de novo.',
    incorrect_number: 'Número do cartão incorreto. Confira e tente de novo.',
    card_not_supported: 'Este tipo de cartão não é aceito aqui. Tente outro cartão.',
    limit_exceeded: 'O valor ultrapassa o limite do cartão. Tente outro cartão.',
    authentication_failed: 'Seu banco não confirmou sua identidade. Tente de novo ou use outro cartão.',
    processing_error: 'Não conseguimos contato com o banco. Tente de novo em instantes.',
    card_declined: 'O banco recusou o cartão. Tente outro cartão ou fale com seu banco.',
    order_canceled: 'O pagamento foi cancelado no app. Nada foi cobrado. Tente de novo.',
    order_failed: 'O app não conseguiu concluir o pagamento. Nada foi cobrado. Tente de novo.',
    amount_too_small: 'Valor baixo demais para esta forma de pagamento. Escolha outra ou fale com a loja.',
    amount_too_large: 'Valor alto demais para esta forma de pagamento. Escolha outra ou fale com a loja.',
    payer_refused: 'A processadora do pagamento não aceitou seus dados. Confira e tente de novo.',
    refused_by_provider:
      'A processadora do pagamento não aceitou este pagamento. Escolha outra forma ou fale com a loja.',
    other: 'O pagamento foi recusado. Tente de novo; se não der certo, fale com a loja.',
  },
  problems: {
    provider_away:
      'A processadora do pagamento não está respondendo. Nada foi cobrado. Tente de novo em instantes.',
    refused: 'Esta forma de pagamento não está disponível no momento. Escolha outra.',
  },
  receipt: {
    amount: 'Valor',
    received: 'Valor recebido',
    method: 'Forma de pagamento',
    paidAt: 'Pago em',
    to: 'Pago para',
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
    required: (label) => `Preencha o campo ${label}.`,
    email: 'Digite um e-mail válido, como ana@exemplo.com.br.',
    phone: 'Digite um telefone válido com o código do país, como +55 11 91234-5678.',
    taxId: 'CPF ou CNPJ inválido. Confira os números.',
    tooLong: 'Texto longo demais. Escreva um mais curto.',
    card: 'Não digite o número do cartão aqui. Use o formulário do cartão.',
    country: 'Escolha um país na lista.',
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
      title: 'Pagamento não encontrado',
      message: 'O link pode estar incompleto. Abra de novo pela loja ou pela mensagem que você recebeu.',
    },
    too_many: {
      title: 'Muitas tentativas',
      message: 'Aguarde alguns segundos e recarregue a página.',
    },
    refused: { title: 'Não foi possível continuar', message: 'Abra o pagamento de novo pelo link.' },
    broken: {
      title: 'Algo deu errado',
      message: 'Seu pagamento está seguro. Recarregue a página em instantes.',
    },
    leaving: {
      title: 'Redirecionando para o pagamento',
      message:
        'Você vai para a página segura da processadora do pagamento. Se nada acontecer, toque no botão.',
      button: 'Continuar',
    },
    back_to_payment: 'Voltar ao pagamento',
  },
  frame: {
    title: 'Dados do cartão',
    broken: 'O formulário do cartão não carregou. Verifique sua conexão e recarregue a página.',
  },
}
