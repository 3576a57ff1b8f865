import Simulator

let arguments = Array(CommandLine.arguments.dropFirst())
await Command.run(arguments)
