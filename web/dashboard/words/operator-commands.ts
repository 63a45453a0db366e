import { dictionary } from './dictionary.ts'

/** What only a command may do, and why. */
export const operatorCommandWords = dictionary({
  'pt-BR': {
    command: 'Comando',
    whys: {
      operators: 'Quem opera é decidido só por comando, em uma máquina da instalação.',
      colleague:
        'A outro operador só um comando dá uma nova senha ou tira os fatores: quem entra por ele seria as duas pessoas que decidem.',
      workerKey:
        'Cifrar de novo e publicar a chave pedem a chave do trabalhador, que nenhum processo exposto à web tem.',
      refill:
        'Quando a tesouraria é sua própria carteira, o reabastecimento é preparado e assinado por comando.',
      rescue:
        'Moedas enviadas por engano em outra rede são resgatadas só por comando: ele instala um contrato lá.',
      keys: 'Pessoas da conta fazem as próprias chaves, em Desenvolvedores. Sem ninguém lá, use o comando.',
      sandboxes:
        'Outros sandboxes são feitos por comando: ele abre contas nos provedores simulados desta máquina.',
    },
  },
  en: {
    command: 'Command',
    whys: {
      operators: 'Who is an operator is decided by a command only, on a machine of the installation.',
      colleague:
        'Only a command gives another operator a new password or takes their factors: who signs in as them would be both people who decide.',
      workerKey:
        'Sealing again and publishing the key need the worker’s key, which no process that faces the web has.',
      refill:
        'Where the treasury is a wallet of your own, a refill is prepared by a command, for you to sign.',
      rescue:
        'Coins that were sent on another network by mistake are rescued by a command only: it deploys a contract there.',
      keys: 'People of the merchant make their own keys, in Developers. Where there is nobody, use the command.',
      sandboxes:
        'Further sandboxes are made by a command: it opens accounts at the simulated providers of this machine.',
    },
  },
  es: {
    command: 'Comando',
    whys: {
      operators: 'Quién opera se decide solo por un comando, en una máquina de la instalación.',
      colleague:
        'A otro operador solo un comando le da una nueva contraseña o le quita los factores: quien entra por él sería las dos personas que deciden.',
      workerKey:
        'Cifrar de nuevo y publicar la clave piden la clave del trabajador, que ningún proceso expuesto a la web tiene.',
      refill:
        'Cuando la tesorería es su propia billetera, la recarga se prepara por un comando, para que usted la firme.',
      rescue:
        'Las monedas enviadas por error en otra red se rescatan solo por un comando: instala un contrato allí.',
      keys: 'Las personas del comercio hacen sus propias claves, en Desarrolladores. Donde no hay nadie, use el comando.',
      sandboxes:
        'Otros sandboxes se hacen por un comando: abre cuentas en los proveedores simulados de esta máquina.',
    },
  },
})
