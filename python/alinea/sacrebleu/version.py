"""The version of sacreBLEU whose interface this is. Signatures have that of this library."""

__all__ = ["__version__", "__version_tuple__", "version", "version_tuple"]

__version__ = version = "2.6.0"
__version_tuple__ = version_tuple = (2, 6, 0)
