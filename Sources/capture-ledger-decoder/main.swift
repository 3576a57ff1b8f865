import Glibc

exit(Decoder.run(CommandLine.arguments))
