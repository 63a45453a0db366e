import { dictionary } from './dictionary.ts'

/** What only a command may do, and why. */
export const operatorCommandWords = dictionary({
  command: ['Comando', 'Command', 'Comando'],
  whys: {
    operators: [
      'Os operadores são definidos só por comando, em uma máquina da instalação.',
      'Operators are set by a command only, on a machine of the installation.',
      'Los operadores se definen solo por comando, en una máquina de la instalación.',
    ],
    colleague: [
      'Só um comando dá uma nova senha a outro operador ou remove os fatores dele: quem entrasse como ele poderia decidir pelas duas pessoas.',
      'Only a command gives another operator a new password or removes their factors: whoever signed in as them could decide for both people.',
      'Solo un comando da una contraseña nueva a otro operador o quita sus factores: quien entrara como él podría decidir por las dos personas.',
    ],
    workerKey: [
      'Criptografar de novo e publicar a chave exigem a chave do worker, que nenhum processo exposto à web tem.',
      'Encrypting again and publishing the key need the worker’s key, which no process that faces the web has.',
      'Cifrar de nuevo y publicar la clave requieren la clave del worker, que ningún proceso expuesto a la web tiene.',
    ],
    refill: [
      'Quando a tesouraria é uma carteira sua, um comando prepara o reabastecimento e você o assina.',
      'Where the treasury is a wallet of your own, a command prepares the refill, and you sign it.',
      'Cuando la tesorería es una billetera suya, un comando prepara la recarga y usted la firma.',
    ],
    rescue: [
      'Moedas enviadas por engano em outra rede são resgatadas só por comando: ele instala um contrato lá.',
      'Coins that were sent on another network by mistake are rescued by a command only: it deploys a contract there.',
      'Las monedas enviadas por error en otra red se rescatan solo por un comando: instala un contrato allí.',
    ],
    keys: [
      'As pessoas do lojista criam as próprias chaves, em Desenvolvedores. Se não há ninguém lá, use o comando.',
      'The merchant’s people create their own keys, in Developers. If there is nobody there, use the command.',
      'Las personas del comercio crean sus propias claves, en Desarrolladores. Si no hay nadie allí, use el comando.',
    ],
    sandboxes: [
      'Outros sandboxes são criados por comando: ele abre contas nos provedores simulados desta máquina.',
      'Further sandboxes are created by a command: it opens accounts at the simulated providers of this machine.',
      'Otros sandboxes se crean por comando: abre cuentas en los proveedores simulados de esta máquina.',
    ],
  },
})
