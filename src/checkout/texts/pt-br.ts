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
  expiresAt: 'Válido {time}',
  fiveMinutesLeft: 'Restam 5 minutos para pagar.',
  oneMinuteLeft: 'Resta 1 minuto para pagar.',

  pixCopy: 'Copiar código Pix',
  pixCode: 'Pix Copia e Cola',
  pixSteps: 'Como pagar',
  pixStep1: 'Abra o app do seu banco e acesse a área Pix.',
  pixStep2: 'Escaneie o QR Code ou cole o código em Pix Copia e Cola.',
  pixStep3: 'Confira os dados e confirme o pagamento. Esta página é atualizada automaticamente.',

  networkWarning:
    'Envie somente {token} e somente pela rede {network}. Valores enviados por outra rede serão perdidos.',
  qrAddress: 'Só o endereço',
  qrWallet: 'Com o valor',
  exactAmount: 'Valor exato',
  address: 'Endereço',
  feesNote: 'A taxa de saque da corretora é cobrada à parte: este é o valor que precisa chegar.',
  openWallet: 'Abrir na carteira',
  received: 'Recebido',
  transaction: 'Transação',
  confirmations: 'Confirmado pela rede, {done} de {needed}',
  confirmed: 'Confirmado pela rede',

  cardFrame: 'Dados do cartão',
  cardSafe: 'Os dados do cartão vão direto para a processadora do pagamento. A loja não tem acesso a eles.',
  cardLoading: 'Abrindo o formulário seguro do cartão…',
  cardContinue: 'Pagar com cartão',
  cardElsewhere: 'Abrir o formulário em outra página',

  appOpen: 'Abrir o app',
  appScan: 'Ou escaneie com o app em outro aparelho',

  preparing: 'Preparando',

  returning: 'Você voltará à loja em {seconds} s.',
  stay: 'Ficar nesta página',
  receipt: 'Comprovante',
  languages: 'Idioma',
}
