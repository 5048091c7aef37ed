"""The reference held to the vector files in conformance/, and the generator of those files."""
