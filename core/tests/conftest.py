from hypothesis import settings

# Speed is measured in bench/; a test must not fail because its machine is busy.
settings.register_profile("tessera_core", deadline=None)
settings.load_profile("tessera_core")
