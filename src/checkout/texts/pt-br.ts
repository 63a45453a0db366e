import type { Labels } from './labels.ts'

export const ptBrLabels: Labels = {
  sandbox: 'Teste, sem dinheiro real',
  amountDue: 'Total a pagar',
  amountPaid: 'Total pago',
  amount: 'Total',

  copy: 'Copiar',
  copied: 'Copiado',
  selected: 'Selecionado',

  chooseMethod: 'Forma de pagamento',
  otherMethod: 'Pagar de outra forma',
  continue: 'Continuar',
  optional: 'opcional',
  cancel: 'Cancelar pagamento',
  refresh: 'Atualizar',

  expiresIn: 'Expira em',
  expiresAt: 'até {time}',
  fiveMinutesLeft: 'Faltam 5 minutos para pagar.',
  oneMinuteLeft: 'Falta 1 minuto para pagar.',

  pixCopy: 'Copiar código Pix',
  pixCode: 'Código Pix copia e cola',
  pixSteps: 'Como pagar',
  pixStep1: 'Abra o aplicativo do seu banco e escolha Pix.',
  pixStep2: 'Leia o QR Code, ou cole o código em Pix copia e cola.',
  pixStep3: 'Confira o valor e confirme. Esta página avisa você.',

  networkWarning: 'Envie só {token} e só pela rede {network}. O que for por outra rede se perde.',
  qrAddress: 'Só o endereço',
  qrWallet: 'Com o valor',
  exactAmount: 'Valor exato',
  address: 'Endereço',
  feesNote: 'A taxa da sua corretora é à parte: este é o valor que precisa chegar.',
  openWallet: 'Abrir na carteira',
  received: 'Recebido',
  transaction: 'Transação',
  confirmations: 'Confirmado pela rede, {done} de {needed}',
  confirmed: 'Confirmado pela rede',

  cardFrame: 'Dados do cartão',
  cardSafe: 'Os dados do cartão vão direto para a operadora. A loja não os vê.',
  cardLoading: 'Abrindo o formulário seguro do cartão',
  cardContinue: 'Pagar com cartão',
  cardElsewhere: 'Abrir o formulário em outra página',

  appOpen: 'Abrir o aplicativo',
  appScan: 'Ou leia com o aplicativo em outro aparelho',

  preparing: 'Preparando',

  returning: 'Você volta à loja em {seconds} s.',
  stay: 'Ficar aqui',
  receipt: 'Comprovante',
  languages: 'Idioma',
}
