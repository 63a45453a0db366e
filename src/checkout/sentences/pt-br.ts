import type { Sentences } from './en.ts'

export const ptBrSentences: Sentences = {
  until: (time) => `até ${time}`,
  choose: {
    headline: 'Como você quer pagar?',
    message: 'Escolha a forma de pagamento. Você pode trocar antes de pagar.',
    one: 'Preencha os dados que faltam e siga para o pagamento.',
  },
  shut: 'Indisponível no momento',
  preparing: { headline: 'Só um momento', message: 'Estamos preparando seu pagamento.' },
  confirming: {
    headline: 'Estamos confirmando o pagamento',
    message: 'Seu pagamento está sendo processado. Não é preciso fazer mais nada, nem pagar de novo.',
  },
  underpaid: {
    headline: 'Pagamento incompleto',
    message: ({ received, amount }) =>
      `Recebemos ${received} de ${amount}. Fale com a loja para pagar o restante.`,
  },
  paid: {
    headline: 'Pagamento confirmado',
    message: (merchant) => `${merchant} recebeu seu pagamento. Obrigado!`,
    another: (amount) =>
      `Mais ${amount} estão a caminho. Este pagamento já foi feito: fale com a loja sobre o segundo.`,
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
  onItsWay: {
    headline: 'Seu dinheiro está a caminho',
    message: (amount) =>
      `Identificamos ${amount}, enviados para um pagamento já encerrado. Seu dinheiro está seguro; não pague de novo. Esta página mostrará quando ele chegar. Depois, fale com a loja.`,
  },
  endedWithMoney: ({ received, amount }) =>
    `Recebemos ${received} de ${amount}. Seu dinheiro está seguro. Fale com a loja para receber o valor de volta.`,
  declines: {
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
    kept: (tried, current) =>
      `${tried} não está disponível no momento. Nada foi cobrado. Pague com ${current} aqui ou escolha outra forma.`,
  },
  items: { label: 'Itens', count: (count) => `${count} itens` },
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
    iban: 'IBAN',
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
    iban: 'Digite um IBAN válido de um banco da área SEPA, como PT50 0002 0123 1234 5678 9015 4.',
    tooLong: 'Texto longo demais. Escreva um mais curto.',
    card: 'Não digite o número do cartão aqui. Use o formulário do cartão.',
    country: 'Escolha um país na lista.',
  },
  mandate: (merchant) =>
    `Ao continuar, você aceita este mandato: autoriza ${merchant}, e em seu nome quem processa o pagamento, a enviar instruções ao seu banco para debitar esta conta uma vez, e o seu banco a debitá-la conforme essas instruções. Você tem direito a reembolso pelo seu banco nas condições do seu contrato com ele. O reembolso deve ser pedido em até oito semanas a partir da data do débito na sua conta. Você concorda em ser avisado do débito pouco antes dele.`,
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
