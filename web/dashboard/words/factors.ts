import { dictionary } from './dictionary.ts'

/** Second factors: at the sign-in, and before what moves money. */
export const factorWords = dictionary({
  'pt-BR': {
    stepUp: 'Confirme que é você',
    stepUpLead: 'Isto pede um segundo fator dos últimos 5 minutos. O que você pediu segue em frente depois.',
    none: 'Você ainda não tem segundo fator',
    noneLead:
      'Sem ele, nada que move dinheiro pode ser feito. Adicione um aplicativo autenticador ou uma chave de acesso e tente de novo.',
    add: 'Adicionar em Segurança',
    code: 'Código do aplicativo',
    codeHelp: 'Seis números, que mudam a cada 30 segundos.',
    recovery: 'Código de recuperação',
    recoveryHelp: 'Um dos que você guardou. Cada um vale uma vez.',
    confirm: 'Confirmar',
    usePasskey: 'Usar chave de acesso',
    useRecovery: 'Usar um código de recuperação',
    useTotp: 'Usar o código do aplicativo',
    wrong: 'O código não confere. Confira o relógio do aparelho e tente o próximo.',
    canceled: 'A chave de acesso não respondeu. Tente de novo ou use outro meio.',
  },
  en: {
    stepUp: 'Confirm that it is you',
    stepUpLead:
      'This asks for a second factor from the last 5 minutes. What you asked for goes on afterwards.',
    none: 'You have no second factor yet',
    noneLead:
      'Without one, nothing that moves money can be done. Add an authenticator app or a passkey, and try again.',
    add: 'Add one in Security',
    code: 'Code of the app',
    codeHelp: 'Six digits, which change every 30 seconds.',
    recovery: 'Recovery code',
    recoveryHelp: 'One of those that you kept. Each works once.',
    confirm: 'Confirm',
    usePasskey: 'Use a passkey',
    useRecovery: 'Use a recovery code',
    useTotp: 'Use the code of the app',
    wrong: 'The code does not match. Check the clock of the device and try the next one.',
    canceled: 'The passkey did not answer. Try again or use another way.',
  },
  es: {
    stepUp: 'Confirme que es usted',
    stepUpLead: 'Esto pide un segundo factor de los últimos 5 minutos. Después, lo que pidió sigue adelante.',
    none: 'Usted aún no tiene un segundo factor',
    noneLead:
      'Sin él no se puede hacer nada que mueva dinero. Añada una aplicación de autenticación o una llave de acceso e inténtelo de nuevo.',
    add: 'Añadir en Seguridad',
    code: 'Código de la aplicación',
    codeHelp: 'Seis números, que cambian cada 30 segundos.',
    recovery: 'Código de recuperación',
    recoveryHelp: 'Uno de los que guardó. Cada uno vale una vez.',
    confirm: 'Confirmar',
    usePasskey: 'Usar llave de acceso',
    useRecovery: 'Usar un código de recuperación',
    useTotp: 'Usar el código de la aplicación',
    wrong: 'El código no coincide. Revise el reloj del dispositivo e intente con el siguiente.',
    canceled: 'La llave de acceso no respondió. Inténtelo de nuevo o use otro medio.',
  },
})
