"""What the hooks for MXNet and MegEngine share: finding modules, running programs, errors."""
