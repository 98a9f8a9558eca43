from tessera_client.cli import main

main()
