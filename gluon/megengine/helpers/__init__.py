"""Internal helpers of MegEngine's modules, which some scripts import."""
